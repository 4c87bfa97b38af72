/*
 * wire -- the shared memory between tourney and its ranks.
 *
 * One sparse anonymous file: a head, the list of System V memory, one channel per rank, and
 * the arena for payloads.  It has no name in any file system, so nothing is left behind; a
 * rank opens it through /proc/PID/fd, given in TOURNEY_WORLD.
 *
 * A rank appends operations to its ring and sleeps only in a call that needs an
 * answer.  tourney sleeps until the last running rank has gone to sleep, or,
 * while `eager` is set, until any has.  Whoever writes a field is named beside it.
 */
#ifndef CALL_WIRE_H
#define CALL_WIRE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call/obstacle.h"
#include "call/op.h"
#include "call/rank_claim.h"
#include "call/segment_list.h"
#include "call/window.h"

#define WIRE_ENV "TOURNEY_WORLD" /* PATH:CHANNEL:RANK */
#define WIRE_ENV_TIME "TOURNEY_TIME" /* set: clocks are virtual from the beginning; to this word: */
#define WIRE_TIME_SKEWED "skewed" /* they may leap in a rank, once, */
#define WIRE_ENV_HEAP "TOURNEY_HEAP" /* is set: malloc puts blocks where they are not told apart by the order of frees; heap_layout.h */
#define WIRE_ENV_CHOICES "TOURNEY_CHOICES" /* what the user has said of choices: NAME=A..B;NAME=A..B */
#define WIRE_ENV_NODES "TOURNEY_NODES" /* is set: so many ranks are on each node; else all are on one */
#define WIRE_ENV_REDUCTIONS "TOURNEY_REDUCTIONS" /* is set: reductions are done in several orders; to this word: */
#define WIRE_REDUCTIONS_CHOSEN "orders" /* and which result a rank gets is a choice */
#define WIRE_ENV_FAULTS "TOURNEY_FAULTS" /* is set: PLACES:LIST, calls that may fail (fault.h) at so many places of a rank */
#define WIRE_ENV_SITES "TOURNEY_SITES" /* is set: that malloc also notes who has asked for a block (call/heap_map.h) */
#define WIRE_ENV_COPIED "TOURNEY_COPIED" /* is set: ranks are copied and run again */

enum {
    WIRE_VERSION = 22,
    WIRE_RING = 1 << 17,         /* bytes; a power of two */
    WIRE_INLINE = 1 << 14,       /* payloads up to here travel in the ring */
    WIRE_ANSWER = 1 << 15,       /* bytes of the answer area; longer ones go to the arena */
    WIRE_MAX_RANKS = 4096,
    WIRE_STACK = UINT8_MAX,      /* in the ring, in place of a kind: not an operation, but from where the next one was
                                    called, `items` return addresses in the tail, uint64_t each */
    WIRE_STACK_DEPTH = 128,      /* of these at most */
    WIRE_TOUCHES = UINT8_MAX - 1, /* the same, what the program loaded and stored before the next operation, `items`
                                    struct window_touch (touch.h) in the tail */
    WIRE_SKEWED_READINGS = 16,   /* at one of its first so many readings */
    WIRE_LESSONS = 96,           /* calls of threads that compete, which a search can heed */
    WIRE_DROPPED = 16,           /* stretches of memory that a rank tells it has given back */
    WIRE_PICKS = 2048,           /* calls of a rank that it may have answered itself and tourney has not followed yet; a power of two */
};
#define WIRE_ARENA_SIZE (UINT64_C(1) << 40) /* of address space */

/* A call of a thread that competes with one of another thread of its rank (shim/virtual/thread_patterns.h). */
enum lesson_kind {
    LESSON_NONE,
    LESSON_SEND,
    LESSON_RECEIVE,
    LESSON_PROBE,
    LESSON_COLLECTIVE,
    LESSON_LOCK,
    LESSON_SHARED_LOCK,
    LESSON_ATTEMPT,
    LESSON_RELEASE,
    LESSON_BUFFER, /* of a call: `context` is where it begins, `tag` its length, `peer` 1 if it is filled */
    LESSON_OVERTAKING, /* of no thread: an accumulate to the window of `peer` in the slot `context` may overtake one that was sent (shim/window/either_order.h) */
};
struct thread_lesson {
    rank_t rank;
    uint16_t thread;   /* its number in the rank */
    uint16_t kind;     /* enum lesson_kind */
    context_t context; /* or where the lock is */
    rank_t peer;
    int32_t tag;
    _Atomic uint16_t times; /* so often it makes such calls in a run, while there are other threads */
    uint16_t times_in_force; /* tourney: as it was when the search began */
};

struct wire_head {
    uint32_t version;          /* tourney */
    int32_t ranks;             /* tourney: all numbers that ranks may have */
    int32_t first_ranks;       /* tourney: of these, those of the first MPI_COMM_WORLD; the others may be started (dynamic.h) */
    uint64_t slack;            /* tourney: standard sends of fewer bytes complete at once */
    uint32_t less_slack;       /* tourney: it is asked, too, what comes of it if they do not */
    uint64_t arena;            /* tourney: offset of the arena in the file */
    uint32_t real_time;        /* tourney: MPI_Wtime is the clock on the wall */
    uint32_t copied;           /* tourney: ranks are copied, so there must be one thread */
    uint32_t images;           /* tourney: ranks that sleep are looked at, and their system calls listened to */
    uint32_t unguarded;        /* tourney: nobody wants to know what becomes of buffers */
    uint32_t followed;         /* tourney: it goes with ranks instruction by instruction, so nothing is done that takes many */
    uint32_t accesses;         /* tourney: a rank tells what it does with windows and files (OP_ACCESS, OP_WINDOW, OP_FILE_ACCESS, OP_FILE) */
    uint32_t files_apart;      /* tourney: each run has files of its own, as far as MPI calls change them (file_store.h) */
    uint32_t stacks;           /* tourney: a rank tells its stack before every operation, as WIRE_STACK */
    uint32_t touches;          /* tourney: a rank tells what it loads from windows and stores there, as WIRE_TOUCHES */
    uint32_t stepped;          /* tourney: a rank sleeps after every operation, whether or not it wants an answer */
    uint64_t mailboxes;        /* tourney: offset in the arena of what ranks show each other (mail.h); 0: there is nothing */
    _Atomic uint32_t cores;    /* tourney: on so many the ranks may run now */
    _Atomic uint32_t eager;    /* tourney: wake me at every sleep */
    _Atomic uint32_t stranger; /* rank: somebody plays it who cannot (rank_claim.h) */
    _Atomic uint32_t preferred; /* rank: it was not asked which of several requests a call names (D7) */
    _Atomic uint32_t measured; /* rank: it has read a performance variable of its library, which is alone */
    _Atomic uint32_t restless; /* rank: a thread of it did not come to rest, and is taken not to communicate */
    _Atomic uint32_t probes_beside; /* rank: a thread of it waited in a probe, which polls, while others could go on and less slack is looked at */
    _Atomic uint32_t early_threads; /* rank: it had several when it called MPI_Init, which take no turns, although it was provided a level at which they could call */
    _Atomic uint32_t take_turns;  /* rank: it has several threads, which take turns (shim/turns.h) */
    _Atomic uint32_t lessons;     /* ranks: of `lesson`, so many are there; more than WIRE_LESSONS: not all could be told */
    _Atomic uint32_t lessons_due; /* rank: its run has left lessons, and is over */
    uint32_t lessons_in_force;    /* tourney: so many of them are heeded */
    _Atomic uint64_t any_tag;     /* ranks: a bit for each communicator, modulo 64, on which somebody receives with any tag */
    uint64_t any_tag_in_force;    /* tourney: as it was when the search began */
    struct thread_lesson lesson[WIRE_LESSONS];
    _Alignas(64) _Atomic uint32_t events; /* both: grows with every wake-up; tourney's futex */
    _Atomic uint32_t awake;    /* tourney: it looks at `events` before it sleeps, so that nobody need wake it up */
    _Alignas(64) _Atomic int32_t running; /* both: ranks that are not asleep */
    _Atomic int32_t rest_wanted;          /* ranks: so many of them wait for what comes when all rest; of one that was ended it may stay */
    _Atomic uint32_t tourney_chooses;     /* tourney: from now on no rank chooses for itself, since `running` or the mailboxes do not tell all */
};

/* What `listener` of a channel is besides; a futex. */
enum {
    WIRE_LISTENER_TRIAL = 1 << 30,      /* added by the rank: it only wants to know whether that is possible */
    WIRE_LISTENER_REFUSED = UINT16_MAX, /* by tourney: it could not */
};

/* Whom a rank that waits listens for, in `listens` of its channel, a futex (shim/virtual/hearing.h). */
enum {
    WIRE_LISTENS_NOT,
    WIRE_LISTENS_CALLED,       /* it was called, and counted as running by whoever did that */
    WIRE_LISTENS_NEVER,        /* it has called MPI_Finalize, and waits for nothing more */
    WIRE_LISTENS_FOR_ALL,
    WIRE_LISTENS_FOR,          /* and the rank */
    WIRE_LISTENS_NEXT = 1 << 16, /* and the rank: it receives from any source, and has to know what that one does, whose turn it is (round_robin.h) */
    WIRE_LISTENS_TO_CHOOSE = 1 << 29, /* is added to the last: others have sent something, so there may be a choice when all rest */
    WIRE_LISTENS_AWAKE = 1 << 30, /* is added: it does not sleep yet, but looks at this word */
};

/* What tourney has to say to a rank that sleeps. */
enum answer_kind {
    ANSWER_GO,   /* the call may return; completions follow */
    ANSWER_ROOM, /* `payload` is the room asked for; to OP_PLACES, the first number, 0: there are too many */
    ANSWER_COPY, /* make a copy of yourself, which sleeps on channel `payload` */
    ANSWER_STAY, /* sleep on */
    ANSWER_END,  /* the run is over: flush what was printed, and leave */
};

/* A stretch of a rank's memory that a savepoint keeps, and where in the block of the savepoint it lies. */
struct saved_span {
    uint64_t at, bytes, room;
};

/*
 * What a rank does before anything else that an answer says: it goes back to a savepoint, from where it takes the answer; and
 * it makes one.  Places are offsets in the arena.  Spans are only ever added, so a savepoint has the first ones; the others
 * were not written before it was made, and have what they had when the rank began to make savepoints.
 */
struct savepoint_order {
    uint64_t spans;      /* struct saved_span each */
    uint32_t count;      /* so many of them */
    uint32_t back_count; /* so many of them are in the savepoint to which the rank goes back */
    uint64_t back;       /* the block of that savepoint; 0: the rank does not go back */
    uint64_t first;      /* the block for the others */
    uint64_t save;       /* the block of a savepoint to be made; 0: none */
};

struct answer {
    uint32_t kind;
    uint32_t flag;        /* test, iprobe: yes; ANSWER_COPY: no system call was heard of since the last one */
    uint32_t grant;       /* polls that the rank may answer with no by itself, in a search 1 more, see `noes`; ANSWER_COPY: the copy is to have savepoints */
    uint32_t completions; /* struct completion each, with its pieces behind it */
    uint64_t payload;     /* ANSWER_ROOM; ANSWER_GO: where the completions are, 0: here */
    uint64_t last_source; /* in a play: 1 + whose message was last chosen for a receive from any source of the rank (round_robin.h); 0: none was */
    uint64_t ahead;       /* ANSWER_STAY: where in the arena a struct wire_ahead is: from now on the rank answers itself what it knows; 0: it does not */
    uint64_t next;        /* ANSWER_GO: where in the arena the answer to the next call is, a struct wire_foretold; 0: it is not known yet */
    struct savepoint_order order;
};

/* An answer that is known before it is asked for. */
struct wire_foretold {
    uint64_t bytes; /* of the answer and the completions behind it: it fits into the answer area */
    struct answer answer;
};

/*
 * What a process is told that runs ahead of the search (drive/opening.h): where those of all ranks show each other what they
 * post (mail.h), and what it has posted so far, in one piece, the call in which it sleeps last.
 */
struct wire_ahead {
    uint64_t mailboxes; /* offset in the arena */
    uint64_t channels;  /* the same: an int32_t for each rank, the channel of its process */
    uint64_t records;   /* struct op each; a payload that is not there has an offset that is not 0 */
};

enum { COMPLETION_CANCELLED = 1 };

/* One request completed, or the envelope that a probe saw. */
struct completion {
    uint32_t request;
    rank_t source; /* in MPI_COMM_WORLD, or RANK_NONE */
    int32_t tag;
    uint32_t flags;
    uint64_t bytes;
    uint64_t payload; /* arena offset */
    uint32_t pieces;  /* of a collective; struct piece each */
    uint32_t nth;     /* which message of its sender to this rank was received, from 1; 0: none, or nobody counts */
};

/* What the member at position `from` brought for this rank. */
struct piece {
    uint32_t from;
    uint32_t reserved;
    uint64_t bytes;
    uint64_t payload;
};

/*
 * A rank that sleeps, for those who want to know whether two of them are the same: what in its
 * memory is of no account (world/image.h).  Addresses.
 */
struct wire_sleep {
    uint64_t stack;              /* the stack pointer; registers that count have been put there */
    uint64_t first_stack;        /* somewhere in the stack that the process began with: below `stack` that one is dead */
    uint64_t noise, noise_bytes; /* words of the shim that differ between equal ranks */
    uint64_t thread_number;      /* an int of the C library */
    uint64_t core_number;        /* struct rseq of the C library, which the kernel writes; 0: none */
    uint64_t process, process_bytes; /* words of the shim that belong to the process: they stay when it goes back to a savepoint */
    uint64_t forks;              /* processes that the program has made with fork() so far */
    bool threads;                /* the program has others, so the memory does not tell what comes next */
};

struct wire_channel {
    struct rank_claim claim;              /* whoever is on it */
    _Alignas(64) _Atomic uint64_t posted; /* rank: bytes ever put into the ring */
    _Atomic uint32_t full;                /* rank: asleep because the ring is full */
    _Atomic uint32_t listener;            /* rank: 1 + a descriptor that tourney shall take; tourney: what came of it */
    _Atomic uint32_t unwanted;            /* tourney: it has started the rank before it wants it, which waits at the end of MPI_Init until this is 0; a futex */
    _Atomic uint32_t obstacle;            /* rank: why it was not copied when it was last to be: enum obstacle */
    _Atomic uint32_t ends_itself;         /* rank: it is about to send SIGKILL to itself */
    _Atomic uint32_t held;                /* rank: 1 + the exit code with which it would have ended: it sleeps, to go back */
    _Atomic uint32_t remapped;            /* rank: it has changed what no savepoint brings back */
    _Atomic uint32_t dropped;             /* rank that has savepoints: how often it has given memory back, */
    struct {
        uint64_t start, bytes;            /* this: it is zero now, or what the file has; tourney sets `dropped` to 0 */
    } drop[WIRE_DROPPED];
    _Atomic uint32_t left;                /* rank: it has called MPI_Finalize, and is not counted as running */
    _Atomic uint32_t withdrawn;           /* rank: a thread of it wants to make a call, while others wait together (rest.h) */
    _Atomic uint32_t unfit;               /* rank: as one with savepoints it cannot go on, and is about to end */
    _Atomic uint64_t faults;              /* rank that has savepoints: page faults so far; valid as `sleep` is */
    _Atomic uint32_t noes;                /* rank, in a search: polls that it has answered with no itself since tourney, with an answer, set it to 0 */
    struct wire_sleep sleep;              /* rank: valid while `rests` is `turn` + 1 */
    _Atomic uint32_t rests;               /* rank: `turn` + 1 once it sleeps and changes nothing until answered */
    _Atomic uint32_t listens;             /* all: whom it waits to be called by, if it sleeps there; a futex */
    _Atomic uint32_t lingers;             /* rank: 1 + the core on which it waits awake; 0: it does not */
    _Atomic uint64_t lacks;               /* rank: in its lowest byte, 1 + the rank that it waits for a message of; above, how much of that one's mailbox it has seen */
    _Atomic uint32_t undecided;           /* rank: while it listens, so many receives from any source are pending besides the one it waits for */
    _Alignas(64) _Atomic uint64_t taken;  /* tourney: bytes ever taken out */
    _Atomic uint32_t windows_changed[WINDOW_SHARES]; /* other ranks: how often they have changed this one's windows there */
    _Atomic uint64_t window_locks[WINDOW_SHARES]; /* both: who has the locks of this rank's windows there (shown_lock.h) */
    _Atomic uint64_t window_memories[WINDOW_SHARES]; /* both: who is at the public copies of this rank's windows there (shown_memory.h) */
    _Atomic uint32_t turn;                /* both: answers given, also those that the rank knew itself; its futex */
    _Alignas(64) _Atomic uint8_t pick[WIRE_PICKS]; /* rank: by `turn`, for each that it has taken itself: 1 + the source that it chose; 0: it had no choice */
    _Alignas(64) char ring[WIRE_RING];
    _Alignas(64) union {
        struct answer answer;             /* tourney */
        char room[WIRE_ANSWER];
    };
};

_Static_assert(offsetof(struct wire_channel, claim) == 0, "it can be mapped alone");
_Static_assert(WIRE_RING / sizeof(struct op) + 1 < WIRE_PICKS, "calls that were not followed are in the ring, but for one");

enum { WIRE_SEGMENTS = 4096 }; /* offset of a struct segment_list, which is mapped alone, too */
_Static_assert(sizeof(struct wire_head) <= WIRE_SEGMENTS, "the list begins behind it");

/* Channels are numbered: first one per rank, then those of copies. */
static inline uint64_t wire_channel_offset(int number)
{
    const uint64_t first = WIRE_SEGMENTS + ((sizeof(struct segment_list) + 4095) & ~UINT64_C(4095));
    return first + (uint64_t)number * ((sizeof(struct wire_channel) + 4095) & ~UINT64_C(4095));
}

#endif
