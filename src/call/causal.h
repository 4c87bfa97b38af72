/*
 * causal -- what a rank of a real MPI job tells tourney, and what it is told (doc/dist.md).
 *
 * In clock mode the shim leaves communication to the real library.  It adds clocks to
 * messages and writes one file per rank, through a shared mapping, so that the file is
 * as good after kill -9 as after MPI_Finalize.  What the rank has to decide, and how, is
 * in a decision file.  This header is all that the shim and those who start jobs share.
 *
 * The n-th CAUSAL_OP of a file, from 0, is the operation with index n of its rank; other
 * records name operations by this index, ranks as in MPI_COMM_WORLD.
 */
#ifndef CALL_CAUSAL_H
#define CALL_CAUSAL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "call/op.h"

/* The directory of this rank's file; that it is set selects clock mode. */
#define CAUSAL_ENV_DIR "TOURNEY_CLOCK"
/* "lamport" or "vector", which is what nothing means. */
#define CAUSAL_ENV_KIND "TOURNEY_CLOCK_KIND"
/* The decision file; not set: every choice is free. */
#define CAUSAL_ENV_DECISIONS "TOURNEY_CLOCK_DECISIONS"
/* A decimal number for the head: which of many jobs this is. */
#define CAUSAL_ENV_JOB "TOURNEY_CLOCK_JOB"

/* Set: somebody looks after the rank, which sleeps where it would abort the job, until it is killed. */
#define CAUSAL_ENV_HELD "TOURNEY_CLOCK_HELD"

/* The file in which the claim to the rank lies (call/rank_claim.h), for those who look after it. */
#define CAUSAL_ENV_CLAIM "TOURNEY_CLOCK_CLAIM"

/*
 * How often a poll that has said no once, and repeats itself, says no before the library is asked again: then a
 * file shows that it goes round.  Not set: the library is asked every time.
 */
#define CAUSAL_ENV_NOES "TOURNEY_CLOCK_NOES"

/* In the directory; the argument is the rank, an int. */
#define CAUSAL_FILE "rank-%d.causal"
#define CAUSAL_MAGIC "tourney!"

enum { CAUSAL_VERSION = 3, CAUSAL_RECORDS = 4096 /* offset of the first record */ };

enum causal_kind_of_clock { CAUSAL_LAMPORT = 1, CAUSAL_VECTOR_CLOCK = 2 };

enum causal_state {
    CAUSAL_RUNNING,   /* in the program, or in a call that cannot block */
    CAUSAL_BLOCKED,   /* in the call of operation `op` */
    CAUSAL_POLLING,   /* the last thing it did was to ask, with operation `op` or one of its round, and to be told no */
    CAUSAL_FINALIZED, /* MPI_Finalize has been called; the rank communicates no more */
};

/*
 * What the rank is doing now, for a look from outside.  Written by the rank alone; `turn`
 * is odd while it writes, and even again, and more, when it has done so.  Nothing about a
 * rank has changed if `turn` has not.
 */
struct causal_now {
    _Atomic uint64_t turn;
    uint32_t state;  /* enum causal_state */
    uint32_t call;   /* enum call */
    uint64_t op;     /* CAUSAL_BLOCKED, CAUSAL_POLLING */
    uint64_t place;  /* return address of the call */
    uint64_t polls;  /* CAUSAL_POLLING: times it was told no */
    rank_t forced;   /* a wildcard that waits for this source, as it was decided; else RANK_ANY */
    uint32_t round;  /* CAUSAL_POLLING: it goes round through polls like the last so many, up to `op`; 0: there is only that */
};

/* Stands first in the file. */
struct causal_head {
    char magic[8];
    uint32_t version;
    uint32_t clock_kind; /* enum causal_kind_of_clock */
    rank_t rank;
    int32_t size; /* of MPI_COMM_WORLD */
    int32_t pid;
    uint32_t reserved;
    uint64_t job;
    char host[64];
    char mpi[16]; /* "mpich", "openmpi" or "abi" */
    _Atomic uint64_t bytes; /* of whole records, which lie from CAUSAL_RECORDS on */
    struct causal_now now;
    char rest[16];
};
_Static_assert(offsetof(struct causal_head, now) % 64 == 0, "what changes often lies in a line of its own");
_Static_assert(sizeof(struct causal_head) <= CAUSAL_RECORDS, "the head lies before the records");

enum causal_record_kind {
    CAUSAL_NONE,
    CAUSAL_OP,          /* an operation was posted */
    CAUSAL_KNOWS,       /* vector clocks: the rank knows more of others than before */
    CAUSAL_DONE,        /* an operation is complete, as the program has been told */
    CAUSAL_CHOICE,      /* how a choice was made */
    CAUSAL_LATE,        /* a message that a wildcard could have taken, too */
    CAUSAL_DISPUTE,     /* a collective whose members do not agree */
    CAUSAL_DIVERGED,    /* what was decided does not fit what the rank does; it goes on freely */
    CAUSAL_UNSUPPORTED, /* a call that passes without clocks; each once */
    CAUSAL_MODULE,      /* code that was loaded: where places lie */
    CAUSAL_END,         /* the last record of a rank that ended by itself */
    CAUSAL_UNCERTAIN,   /* from here on the rank may know more than its clock says: no send of it is late for certain */
    CAUSAL_LATER,       /* polls that went round were left out */
    CAUSAL_REMARK,      /* what the rank does with windows; no operation, for the order of locks and atomic accesses is chance */
};

/* In front of each record; `size` is that of all of it, a multiple of 8. */
struct causal_record {
    uint32_t size;
    uint32_t kind; /* enum causal_record_kind */
};

/*
 * An operation with its tail, without payload.  Completion of a blocking call is a
 * CAUSAL_DONE with the same operation twice; one that nobody waits for (OPF_WENT_ON) has
 * none.  A collective has no slices: `peer` is the root, `tag` its turn, and the tail says
 * which members it needs.  A matched probe has two: when it took the message, and when
 * that was received.
 *
 * Clock: Lamport, or the rank's own component of its vector, when it was posted.
 */
struct causal_op {
    struct causal_record record;
    uint64_t clock;
    struct op op;
};

/* OP_ACCESS or OP_WINDOW (window.h), OP_FILE_ACCESS or OP_FILE (file_use.h), with its tail, between the operations around it. */
struct causal_remark {
    struct causal_record record;
    struct op op;
};

/* A component of the rank's vector, from here on; its own is in the records themselves. */
struct causal_entry {
    rank_t rank;
    uint32_t clock;
};
struct causal_knows {
    struct causal_record record;
    uint32_t entries, reserved;
    struct causal_entry entry[];
};

enum {
    CAUSAL_WAS_CANCELLED = 1 << 0,
    CAUSAL_WAS_TRUNCATED = 1 << 1,
    CAUSAL_WAS_FORCED = 1 << 2, /* CAUSAL_CHOICE: it was decided before */
    CAUSAL_HAS_SENDER = 1 << 3, /* CAUSAL_DONE: the fields about the message are valid */
};

struct causal_done {
    struct causal_record record;
    uint64_t op;      /* that was completed */
    uint64_t by;      /* the wait or test, or the same */
    uint64_t clock;   /* of a receive: its final one ([Vo 2011], R4), Lamport or own component */
    uint32_t flags;
    int32_t tag;
    rank_t source;    /* RANK_NONE: there was no message */
    uint32_t reserved;
    uint64_t bytes;
    /* About the message, if CAUSAL_HAS_SENDER */
    uint64_t sender_op;        /* index of the send at its source */
    uint64_t sender_clock;     /* Lamport, or the component of the receiver in the sender's vector */
    uint64_t sender_signature; /* of its type (signature.h); 0: not known */
};

enum causal_choice_kind {
    CHOICE_SOURCE, /* wildcard receive, probe or matched probe: `value` is the source in MPI_COMM_WORLD */
    CHOICE_INDEX,  /* Waitany, Testany: `value` is the index in the list of the operation (its tail) */
    CHOICE_SET,    /* Waitsome, Testsome: `items` such indexes, rising */
    CHOICE_YES,    /* Test, Testall, Request_get_status and a probe that names its source */
    CHOICE_NO,     /* any of those that do not wait; the rank turned to something else */
};

/*
 * Choices are counted, from 0, when their operation is posted: each receive from any source, each
 * probe, and each Waitany, Waitsome, Test, Testany, Testsome, Testall and Request_get_status.  Polls that repeat the one before, with no other
 * call between, are one operation and one choice: `polls` noes and how it came out.  A
 * record comes when it has come out; of wildcards that are pending there is none.
 *
 * `history` sums up what the rank has done up to and including the operation, so
 * that a run that is led to the same choice can be seen to be the same.
 */
struct causal_choice {
    struct causal_record record;
    uint64_t number;
    uint64_t op;
    uint64_t history;
    uint64_t clock; /* of a receive or probe: its final one.  Of others: when it was made */
    uint64_t polls;
    uint32_t kind;  /* enum causal_choice_kind */
    uint32_t flags;
    int32_t value;
    uint32_t items; /* CHOICE_SET */
    int32_t item[];
};

/*
 * In no order with the CAUSAL_CHOICE of the same number.  The message of `source` that this rank has received or found late, so that the wildcard
 * of choice `number` could have taken it ([Vo 2011], Theorems 5.3 and 5.5).  Of several from
 * one source the first one; MPI would give no other.  Of messages that were never
 * received nothing is told here: who has all files sees them by causal_is_late.
 */
struct causal_late {
    struct causal_record record;
    uint64_t number;
    uint64_t sender_op;
    uint64_t sender_clock;
    uint64_t sender_signature;
    uint64_t bytes;
    rank_t source;
    int32_t tag;
};

/* Members differ in something that has to be the same; the other's view is not known, only that it differs. */
struct causal_dispute {
    struct causal_record record;
    uint64_t op;
    uint32_t what; /* enum causal_dispute_about */
    uint32_t reserved;
};
enum causal_dispute_about {
    DISPUTE_CALL = 1, /* which collective it is */
    DISPUTE_ROOT,
    DISPUTE_OPERATOR,
    DISPUTE_DATA,     /* how much, or of which type */
};

struct causal_diverged {
    struct causal_record record;
    uint64_t number; /* of the choice */
    uint64_t op;
    uint64_t expected, found; /* history; the same: the choice is of another kind or cannot be made */
};

struct causal_unsupported {
    struct causal_record record;
    uint64_t place;
    uint32_t call; /* enum call */
    uint32_t reserved;
};

/* Addresses from `start` to `end` are the file's; `shift` less is the offset in it. */
struct causal_module {
    struct causal_record record;
    uint64_t start, end, shift;
    char path[]; /* with a zero, filled up to 8 */
};

/*
 * Polls that take turns are written down some ten thousand times, then no more.  That operation `op`, one of these
 * polls, came out otherwise than no, or the rank turned to something else after it, was so many rounds
 * later than the file says; and so was all that follows.
 */
struct causal_later {
    struct causal_record record;
    uint64_t op;
    uint64_t rounds;
};

enum causal_end_kind {
    CAUSAL_ENDED_WELL, /* MPI_Finalize has returned */
    CAUSAL_LEFT,       /* exit() without MPI_Finalize */
    CAUSAL_ABORTED,    /* MPI_Abort, an MPI error or a signal: the last operation says which */
};
struct causal_end {
    struct causal_record record;
    uint32_t kind;
    int32_t code; /* CAUSAL_LEFT, CAUSAL_ABORTED */
};

/*
 * Definition 5.1: a message is late for a wildcard that was not caused by it, nor the other
 * way round.  `message` is the sender's clock as of its send, Lamport or its component of the
 * receiver; `wildcard` is the clock in the CAUSAL_CHOICE.  Envelopes have to fit besides, and
 * `source` must not be that of the wildcard's own message.
 */
static inline bool causal_is_late(uint64_t message, uint64_t wildcard)
{
    return message <= wildcard;
}

/* The sum of a rank's history, one operation further; the same in every run. */
static inline uint64_t causal_mix(uint64_t sum, uint64_t value)
{
    sum = (sum ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 32;
}

/* Whether a cancel of a send or receive comes in time, as a decision file has it. */
enum cancel_outcome {
    CANCEL_OPEN,     /* nothing is said of it */
    CANCEL_TOO_LATE, /* `matched` */
    CANCEL_IN_TIME,  /* `withdrawn` */
};

/*
 * The decision file is text, for all ranks of a job:
 *
 *     tourney-decisions 1
 *     RANK NUMBER source POLLS SOURCE HISTORY
 *     RANK NUMBER index POLLS INDEX HISTORY
 *     RANK NUMBER set POLLS I,J,... HISTORY
 *     RANK NUMBER yes POLLS - HISTORY
 *     RANK NUMBER no POLLS - HISTORY
 *     RANK NUMBER glimpse POLLS SOURCE,TAG,BYTES HISTORY
 *     RANK free NUMBER - - -
 *     RANK withdrawn NUMBER - - -
 *     RANK matched NUMBER - - -
 *     end
 *
 * in any order of ranks; of a rank in the order of numbers.  Everything but HISTORY, which is
 * that of the CAUSAL_CHOICE in hexadecimal, or - if it is not to be compared, is decimal.
 * Choices that are not named are free, and so are those of a rank from the number in its
 * `free` line on, or after its last one.  POLLS is how often a poll says no first; then
 * `source`, `index`, `set` and `yes` wait until it can be said, while `no` ends there.  A
 * receive that is named gets a message of this source and no other.
 *
 * The sends and receives of a rank are counted, from 0, too, as they are posted.  One that is `withdrawn` is cancelled
 * in time: the library never hears of it.  One that is `matched` is not: a cancel of it comes too late, and of a receive,
 * waits until that is so.  `glimpse` is `source` of a probe that sees a message which is withdrawn later.  Of a rank,
 * these lines are in the order of their numbers.
 */
#define CAUSAL_DECISIONS "tourney-decisions 1"

/* Reading: records of a file of `bytes` bytes that is in memory.  NULL behind the last whole one. */
static inline const struct causal_record *causal_next(const struct causal_head *head, uint64_t bytes,
                                                      const struct causal_record *last)
{
    const char *start = (const char *)head + CAUSAL_RECORDS;
    uint64_t length = atomic_load(&head->bytes);
    if (bytes < CAUSAL_RECORDS)
        return NULL;
    if (length > bytes - CAUSAL_RECORDS)
        length = bytes - CAUSAL_RECORDS;
    const char *at = last ? (const char *)last + last->size : start;
    uint64_t left = length - (uint64_t)(at - start);
    if (left < sizeof(struct causal_record))
        return NULL;
    const struct causal_record *next = (const struct causal_record *)at;
    return next->size >= sizeof *next && next->size % 8 == 0 && next->size <= left ? next : NULL;
}

#endif
