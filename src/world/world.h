/*
 * world -- the ranks as processes: started, listened to, answered, buried.
 *
 * The world knows processes and bytes, not MPI: it hands out the operations that
 * ranks post and carries answers back.  What they mean is decided elsewhere.
 */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include <stdbool.h>
#include <sys/types.h>

#include "call/dynamic.h"
#include "world/memory.h"
#include "call/made_files.h"
#include "call/spawn_places.h"
#include "world/reader.h"

struct world_options {
    int ranks;         /* all numbers, of which the last `spawnable` are for ranks that are started by others (call/dynamic.h) */
    int spawnable;     /* and, if there are any, for the registry */
    int most_spawned;  /* more ranks are not started by others */
    spawn_places_t places; /* a herd: numbers that are taken; borrowed */
    made_files_t made; /* a herd: files that an earlier search has made; borrowed */
    char *const *argv; /* the program and its arguments, NULL at the end */
    uint64_t slack;    /* as in sem.h */
    bool any_slack;    /* it is asked, too, what comes of less */
    bool tag_output;   /* begin every line with its rank */
    bool mute;         /* no input, and nothing that ranks print is shown */
    const char *input; /* a file, which rank 0 has as its standard input; NULL: that of tourney; borrowed */
    bool watched;      /* a user looks on: a debugger may attach to ranks */
    bool images;       /* a herd: ranks may be looked at, to see whether two are the same */
    bool system_heap;  /* a herd: malloc is the C library's, and not the one of the gate (shim/gate/heap.h) */
    uint64_t layout;   /* a herd: the seed of the address layouts of its ranks (call/heap_layout.h); 0: all have the same */
    const char *choices; /* as WIRE_ENV_CHOICES; NULL: nothing was said; borrowed */
    bool skewed;       /* a herd: clocks of ranks may leap (shim/virtual/virtual_time.h) */
    const char *reductions; /* a herd: as WIRE_ENV_REDUCTIONS; NULL: in one order; borrowed */
    const char *faults; /* a herd: calls that may fail, a list (call/fault.h); NULL: none; borrowed */
    const char *lessons; /* a herd: of threads whose calls compete (world/thread_lessons.h); NULL: none; borrowed */
    uint32_t fault_places; /* at so many places of a rank */
    int node_ranks;    /* how many ranks are on each node; 0: all are on one */
    bool no_savepoints; /* a herd: ranks are copied, and never go back (drive/savepoints.h) */
    bool sites;        /* a herd: ranks note who has asked for each block of memory (call/heap_map.h) */
    double seconds;    /* a herd: how long it may take, 0: for ever */
    int hang_timeout;  /* seconds without a call after which a rank hangs; 0: it never does */
    bool real_time;    /* MPI_Wtime is the clock on the wall */
    bool files_apart;  /* a herd: each run has files of its own, as far as MPI calls change them */
    bool unguarded;    /* buffers of pending operations are not watched */
    bool uncompared;   /* a world: ranks do not tell what they do with windows */
    int coverage;      /* a world: memory in which ranks note which code they run (call/coverage.h), a file; 0: they do not */
    bool errors;       /* a herd: the end of what ranks write to standard error is kept */
    bool followed;     /* a herd: ranks are followed step by step, to see on which bytes they depend */
    bool stacks;       /* a herd: ranks tell from where each operation was called */
    bool touches;      /* a herd: ranks tell what they load from windows and store there */
};

enum rank_life {
    LIFE_RUNNING, /* started; not asleep in a call */
    LIFE_ASLEEP,  /* waits for an answer */
    LIFE_GONE,    /* the process has ended */
    LIFE_UNBORN,  /* nobody has started it */
};

struct rank {
    pid_t pid;
    enum rank_life life;
    bool attached;  /* has called MPI_Init */
    bool finalized; /* has called MPI_Finalize, or finalized its last session */
    bool left;      /* and cannot begin again: it is not waited for */
    int status;     /* of waitpid, once gone */
    bool held;      /* what it posts is not looked at for now */
    bool threads_run; /* it sleeps, but for some of its threads */
    uint64_t taken; /* bytes taken out of its ring */
    uint32_t answered; /* answers that it got, or knew */
    const struct op *next; /* the operation that was peeked at, which is sound, until it is taken; NULL: none was */
    struct told_before before; /* and what was told before it */
};

struct world;

/* Where the birth of a rank lies in the arena: birth_is_sound. */
struct birth_place {
    uint64_t at, bytes;
};

/* Starts the ranks; dies with a sentence when it cannot. */
struct world *world_start(const struct world_options *);

int world_all_ranks(const struct world *); /* also those that may be started */
int world_ranks(const struct world *);     /* that were started so far: the first of them */
/* Numbers in a row for so many ranks that are to be started; RANK_NONE: there are too many. */
rank_t world_take_places(struct world *, uint64_t n);
/* Starts the rank that a birth in the arena describes; it must be one that has a number.  Dies if it cannot. */
void world_spawn(struct world *, rank_t, struct birth_place);
const struct rank *world_rank(const struct world *, rank_t);
struct memory *world_memory(struct world *);
/* The process that called MPI_Init: the one started, or one below it (a script's child). */
pid_t world_process(const struct world *, rank_t);

/*
 * Sleeps until a rank has something to say, has ended, hangs, or a signal came.
 * Returns at once if that is already so.
 */
void world_listen(struct world *);
/*
 * The rank whose next call everybody has waited for in vain for as long as the
 * options say; RANK_NONE: nobody.
 */
rank_t world_hanging(const struct world *);
int world_hang_timeout(const struct world *);
/* Nobody runs but those held back, and everything else that was posted has been taken. */
bool world_at_rest(const struct world *);
/*
 * Holding a rank back that has sent more than others can receive: its ring fills
 * up, and it sleeps until it is let go on.
 */
void world_hold(struct world *, rank_t, bool);
int world_signal(const struct world *); /* a signal that asks tourney to end, or 0 */

/* The next operation of a rank, borrowed until world_take; NULL: none. */
const struct op *world_peek(struct world *, rank_t);
/* Whether ranks tell of what they load and store in windows, as the program was built for that; it stands in `before`. */
bool world_tells_touches(const struct world *);
/* Whether it is a cancel that its rank knows to be in vain (OPF_TOO_LATE); asked once: then it looks like any other. */
bool world_is_too_late(struct world *, rank_t);
void world_take(struct world *, rank_t);
/* Says that the operation just taken waits for an answer. */
void world_fell_asleep(struct world *, rank_t);

/* Wakes a sleeping rank, unless it knew the answer and went on (call/mail.h).  `completions`: the bytes behind the answer's head. */
void world_answer(struct world *, rank_t, struct answer, const void *completions, size_t bytes);

/* Whether a rank that sleeps wants to be answered, whatever it waits for (shim/rest.h); asked once. */
bool world_withdraws(struct world *, rank_t);

/* Other threads of a rank that sleeps run on: it counts as running when it is asked who hangs. */
void world_note_threads(struct world *, rank_t, bool run);

/* Whether a rank that is to be answered knew the answer and has gone on; asked after what it posted was seen. */
bool world_went_on(const struct world *, rank_t);
/* It is not answered, since it has. */
void world_follow(struct world *, rank_t);
/* The source from which such a rank has chosen to receive; RANK_NONE: it had no choice, or has not gone on. */
rank_t world_pick(const struct world *, rank_t);

/* Ends everybody: sleepers flush their output and leave, the rest is killed. */
void world_end(struct world *);
void world_free(struct world *);

#endif
