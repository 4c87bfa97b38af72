/*
 * herd -- ranks as processes of which copies can be made.
 *
 * A copy sleeps in the call in which its original slept, and can be given another
 * answer.  One process runs at a time, whoever was answered last, unless it runs
 * aside.  Like the
 * world, the herd knows processes and bytes, not MPI.
 */
#ifndef WORLD_HERD_H
#define WORLD_HERD_H

#include <sched.h>
#include <stdbool.h>
#include <time.h>

#include "world/kernel_watch.h"
#include "world/launch.h"
#include "world/memory.h"
#include "world/reader.h"
#include "world/world.h"

enum { HERD_MAX = 1024 }; /* processes at one time, the ranks' first ones included */

struct animal {
    pid_t pid;      /* 0: free */
    rank_t rank;
    bool awaited;   /* a copy that was asked for and not waited for: it may come yet, so nobody else can have the place */
    bool dying;     /* was killed, and is not waited for */
    bool gone;
    bool held;      /* it would have ended, with `status`, but has savepoints to go back to */
    bool trapped;   /* it has savepoints, or its original had: there are things that it cannot do */
    bool hangs;     /* has made no call for as long as the options say */
    bool ahead;     /* it answers its calls itself where it knows the answer (herd_send_ahead) */
    uint32_t answered; /* of such a one: calls of which the answer was given or followed */
    int status;     /* of waitpid, once gone or held */
    uint64_t taken; /* bytes of its ring */
    uint32_t roomed; /* so many of the next OP_ROOM in it are answered */
    bool looked;    /* at its own files, when it was copied or as its original; */
    uint64_t heard; /* of its system calls by then (kernel_watch.h) */
    uint32_t files; /* it sees so many changes of them, and its own */
    struct told_before before; /* the operation that is next, until that is taken */
};

struct herd {
    struct world_options options;
    char *program;
    struct memory memory;
    struct launch launch;
    struct kernel_watch *kernel; /* owns; NULL: nobody wants images */
    struct animal animal[HERD_MAX];
    int alive, dying;
    int64_t ended; /* when somebody was first heard to have ended since all of those were buried, in microseconds; 0: nobody */
    spawn_places_t places; /* numbers of ranks that are started by others */
    int wanted;            /* so many spawnable ranks there should have been; 0: there were enough */
    struct timespec deadline; /* on the monotonic clock; all zero: none */
    uint32_t waits_per_yield, waits_until_yield; /* of waits for a rank, how many there are between two that begin by letting others run */
    cpu_set_t cores; /* the processors on which tourney may run */
    cpu_set_t here;  /* the one on which it does */
    cpu_set_t aside; /* the others; if there are none, the same one */
};

void herd_open(struct herd *, const struct world_options *);
void herd_close(struct herd *);

/*
 * A new process for a rank, from main(); of one that was started by others, as its birth says, else NULL.  It comes up on any processor, and at the end of
 * MPI_Init it waits until it is wanted; one of which no system calls are heard, or that was started by others, does not wait.
 */
int herd_start(struct herd *, rank_t, const struct birth_place *);
/* Waits until one that was started calls MPI_Init; false: it has ended without that, or takes very long. */
bool herd_comes_to_init(struct herd *, int animal);
void herd_want(struct herd *, int animal);
/* Whether those who wait for being wanted may be used although others have run meanwhile: nobody has left what they could have found. */
bool herd_left_no_traces(const struct herd *);
/* Numbers in a row for ranks that a rank wants to start (call/dynamic.h); RANK_NONE: there are too many.  If it is known only now that they are needed, the herd is over. */
rank_t herd_take_places(struct herd *, rank_t root, const struct op *);

/* A copy of a sleeping one; -1: there can be none, and `why` says for what reason.  `returns`: it is to have savepoints. */
int herd_copy(struct herd *, int animal, bool returns, enum obstacle *why);
/* Polls that it has answered with no by itself since its last answer, or since the first of several that were given together. */
uint32_t herd_noes(const struct herd *, int animal);
/* Whether a sleeping one has ended all the same: somebody else has killed it. */
/* So many files have been changed; and an animal sees the first so many of these changes, and its own (original_files.h). */
uint32_t herd_changed_files(const struct herd *);
void herd_made_files(const struct herd *, made_files_t *); /* adds those that are not in it */
void herd_show_files(struct herd *, int animal, uint32_t changed);

bool herd_is_gone(struct herd *, int animal);
void herd_kill(struct herd *, int animal);
/* Whether SIGKILL ended it that neither tourney sent nor, as far as can be seen, itself. */
bool herd_was_killed(const struct herd *, int animal);

/* Whether it came to an end because it has savepoints, or its original had (shim/virtual/savepoint.h). */
bool herd_was_trapped(const struct herd *, int animal);

/* It runs where tourney does, as all do at first, or aside, at the same time. */
void herd_place(struct herd *, int animal, bool aside);

/*
 * One that runs aside comes before its time: it waits before it does what others could find.  Once somebody has
 * done such a thing, or if nobody would know, what runs aside may find what it should not, and cannot be used.
 */
void herd_run_aside(struct herd *, int animal, bool aside);
bool herd_can_run_aside(const struct herd *, int animal);

/*
 * One that sleeps, and runs aside from now on, on the processors that tourney leaves free: it is told of others like it (struct wire_ahead in call/wire.h), and sleeps on.  From its next answer on it
 * answers itself what it knows.  False: it has been killed.
 */
bool herd_send_ahead(struct herd *, int animal, uint64_t ahead);
/* Whether it has given itself the answer that is due: then that is taken as given.  If not, an answer may come too late, which changes nothing. */
bool herd_went_on(struct herd *, int animal);
void herd_offer(struct herd *, int animal, struct answer, const void *completions, size_t bytes);
/* Whether it waits before it does what others could find. */
bool herd_is_held_aside(const struct herd *, int animal);

/* Wakes a sleeping one. */
void herd_answer(struct herd *, int animal, struct answer, const void *completions, size_t bytes);

/* Whether everything shall end: a signal asked for it, or the time is over. */
bool herd_is_over(const struct herd *);

/*
 * Waits for the next operation of the one that runs: NULL when it has ended
 * without another one, or hangs, or is held aside, or the herd is over.  Borrowed until herd_take.
 */
const struct op *herd_next(struct herd *, int animal);
void herd_take(struct herd *, int animal);

/* Takes an OP_ROOM that is next, and answers it. */
void herd_give_room(struct herd *, int animal);

/*
 * For one that stands still: the operation that it posted last, NULL: all were taken.  Answers it before it is next, to be taken as
 * above; false: it is no OP_ROOM.
 */
const struct op *herd_last_posted(const struct herd *, int animal);
bool herd_give_room_early(struct herd *, int animal, const struct op *);
/* One has ended, with this status, and somebody else has heard of it in place of the herd. */
void herd_note_end(struct herd *, int animal, int status);
pid_t herd_process(const struct herd *, int animal);

/* What the one that sleeps has made of the kernel. */
struct kernel_state herd_kernel_state(const struct herd *, int animal);

/* If that is kept, what a rank wrote last to standard error, to be freed; NULL: it is not. */
char *herd_heard(const struct herd *, rank_t);

/* Whether ranks tell of what they load and store in windows, as the program was built for that. */
bool herd_tells_touches(const struct herd *);

#endif
