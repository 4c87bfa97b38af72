/*
 * window -- what ranks and the keepers of windows say to each other.
 *
 * MPI's one-sided chapter speaks of a public and a private copy of a window.  The private one is the memory of its owner,
 * in the owner's process.  The public one is kept inside tourney, by a *keeper*: each member of a window has two of them, one for
 * the memory, one for the lock.  To everybody else a keeper is one more rank, which receives messages from any
 * source and answers some: which message it takes next is a choice as with any wildcard receive, and that is all that is open in
 * one-sided communication: which of two requests for a lock is granted first, which of two atomic operations comes first.
 *
 * - Whatever else is sent to a keeper is `calm`: it commutes with all that others send, or there is a race (a finding), so
 *   it is taken as soon as it is there, in the order in which it was sent (OPF_CALM).
 * - An operation may not reach the window before its epoch has begun there: a send can be kept back until all earlier
 *   messages from the same rank to another one have been received (`after` in struct op).
 * - A lock is a standard send, which the keeper receives when it grants it.  So it may or may not block, as a standard send does
 *   (M7).  MPI_Win_start is one to the target, received by what MPI_Win_post posts.
 *
 * All of it goes over one context of which everybody is a member.  All messages to a lock are sent `after` the earlier ones to it; but those of an
 * epoch with a shared lock, and its accesses, only `after` those of earlier such epochs.  For an epoch without accesses may be over before its lock is
 * granted (D10), and an exclusive lock that nobody has any use for must not hold up a shared one that can be granted.
 *
 * The shared pointer of a file has a keeper, too: that of the memory of a window, in a slot that the file takes up at all of
 * its members while it is open.  In a search one of them also keeps what was written to files (file_store.h).
 */
#ifndef CALL_WINDOW_H
#define CALL_WINDOW_H

#include <stdint.h>

#include "call/op.h"
#include "call/operators.h"

#define KEEPER_CONTEXT UINT64_C(0x77696e646f7773)

enum {
    WINDOW_SLOTS = 1 << 14, /* windows of which a rank can be a member at one time: more than MPI libraries make */
    WINDOW_SHARES = 32,     /* so many slots have something of their own where there is one for each; others share it */
};

/* Where there is one bit, or one number, for each of a few slots: slots that share it are taken for one. */
static inline uint32_t window_share(uint32_t slot)
{
    return slot % WINDOW_SHARES;
}

/* Keepers are numbered behind the ranks.  The slot of a window is free at each of its members when it is made. */
static inline rank_t window_memory_keeper(int ranks, uint32_t slot, rank_t owner)
{
    return ranks + 2 * ((rank_t)slot * ranks + owner);
}

static inline rank_t window_lock_keeper(int ranks, uint32_t slot, rank_t owner)
{
    return window_memory_keeper(ranks, slot, owner) + 1;
}

/* How many ranks and keepers there are once windows have been made in so many slots. */
static inline int window_players(int ranks, uint32_t slots)
{
    return ranks + 2 * (int)slots * ranks;
}

static inline bool keeper_is_lock(int ranks, rank_t keeper)
{
    return (keeper - ranks) % 2 == 1;
}

static inline rank_t keeper_owner(int ranks, rank_t keeper)
{
    return (keeper - ranks) / 2 % ranks;
}

static inline uint32_t keeper_slot(int ranks, rank_t keeper)
{
    return (uint32_t)((keeper - ranks) / 2 / ranks);
}

/* Tags on the context. */
enum {
    WINDOW_EXCLUSIVE = 1, /* to the lock: an exclusive lock is wanted; no body */
    WINDOW_SHARED = 2,    /* to the lock: struct window_lock_message, a shared lock is wanted or released */
    WINDOW_CALM = 3,      /* to the memory: struct window_message, sent with OPF_CALM */
    WINDOW_ATOMIC = 4,    /* to the memory: a struct window_message with one access of the accumulate family; with its class */
    WINDOW_ANSWER = 5,    /* from the memory, to accesses that were calm, in the order in which a rank has sent them */
    WINDOW_START = 6,     /* from an origin to a target: MPI_Win_start; no body */
    WINDOW_COMPLETE = 7,  /* from an origin to a target: MPI_Win_complete; uint64_t, messages of `counted` accesses sent in the epoch */
    WINDOW_ATOMIC_ANSWER = 8, /* from the memory, to what was atomic, likewise */
    WINDOW_NEWS = 9,      /* from the memory, to WINDOW_EXCHANGE: apart, since accesses may be kept back meanwhile */
    WINDOW_POINTER = 10,  /* to the memory: struct file_pointer_message; with its class, as WINDOW_ATOMIC */
    WINDOW_POINTER_ANSWER = 11, /* from the memory: int64_t, where the pointer was */
    WINDOW_FILE = 12,     /* to the memory: struct file_message (file_store.h), sent with OPF_CALM */
    WINDOW_FILE_ANSWER = 13, /* from the memory: struct file_answer */
    WINDOW_GIVES_BACK = 14, /* to the lock: struct window_lock_message, an exclusive lock is released */
};

/*
 * Some tags tell more.  WINDOW_START and WINDOW_COMPLETE, which ranks send each other, the slot: one pair of ranks may have several windows.
 * WINDOW_ATOMIC and WINDOW_POINTER, the class of the access: in whichever order those of one class come, they come to the same.
 */
static inline int32_t window_tag(int32_t kind, uint32_t more)
{
    return kind + ((int32_t)more << 8);
}

static inline int32_t window_tag_kind(int32_t tag)
{
    return tag & 0xff;
}

static inline uint32_t window_tag_more(int32_t tag)
{
    return (uint32_t)tag >> 8;
}

/* Whether it is a matter of order: what a keeper of memory takes is calm otherwise. */
static inline bool window_tag_is_ordered(int32_t tag)
{
    return window_tag_kind(tag) == WINDOW_ATOMIC || window_tag_kind(tag) == WINDOW_POINTER;
}

/* Whether it is about the shared pointer of a file. */
static inline bool window_tag_is_pointer(int32_t tag)
{
    return window_tag_kind(tag) == WINDOW_POINTER || window_tag_kind(tag) == WINDOW_POINTER_ANSWER;
}

/* Whether it is about what is in a file; or about a file at all, and not about a window. */
static inline bool window_tag_is_of_contents(int32_t tag)
{
    return window_tag_kind(tag) == WINDOW_FILE || window_tag_kind(tag) == WINDOW_FILE_ANSWER;
}

static inline bool window_tag_is_of_file(int32_t tag)
{
    return window_tag_is_pointer(tag) || window_tag_is_of_contents(tag);
}

/* The room of a receive for an answer: how long that is nobody knows before. */
#define WINDOW_ANSWER_ROOM (UINT64_C(1) << 62)

/*
 * To the lock.  A release is sent `after` the lock itself, so it never overtakes the request.  That of an exclusive lock has a tag of its own: while the lock is
 * held alone nothing else is taken, be it a request for a shared lock by the same rank, which need not be behind it.
 */
enum window_lock_message_kind { WINDOW_LOCK_SHARED = 1, WINDOW_RELEASE };
struct window_lock_message {
    uint32_t kind;
    uint32_t reserved;
};

/* Whether a message to a lock releases it: nobody waits for that, as one may for a request. */
static inline bool window_op_releases(const struct op *op)
{
    return op->tag == WINDOW_GIVES_BACK || (op->tag == WINDOW_SHARED && op->flags & OPF_BUFFERED);
}

/*
 * What the lock is not asked for: remarks (OP_TENURE) tell it, so that promises of the program can be checked.  With MPI_MODE_NOCHECK a
 * rank has a lock without asking; and from MPI_Win_post to MPI_Win_wait the window of a rank is exposed, and must not be locked.
 */
enum window_tenure { WINDOW_HELD_ALONE = 1, WINDOW_HELD_SHARED, WINDOW_LET_GO, WINDOW_EXPOSED, WINDOW_CONCEALED };

/* Part of a window: bytes from its base; of a dynamic one, from MPI_BOTTOM. */
struct window_piece {
    uint64_t at, bytes;
};

/* How the bytes of an atomic operation are read: for each element, a number or a pair of a value and an index. */
enum window_number {
    WINDOW_BYTES,    /* no arithmetic: MPI_REPLACE, MPI_NO_OP, compare and swap, BAND, BOR, BXOR */
    WINDOW_SIGNED,
    WINDOW_UNSIGNED,
    WINDOW_FLOAT,    /* 4, 8 or more: long double, which has 16 */
    WINDOW_COMPLEX,  /* two of them; `size` is that of both */
};
struct window_element {
    uint8_t number;     /* enum window_number; of a pair, of its value */
    uint8_t size;       /* of the number, or of the value */
    uint8_t index_at;   /* 0: no pair; else where the index is, a signed number */
    uint8_t index_size; /* or a floating-point one, if `number` is and it is a pair of equal ones (MPI_2REAL): */
    uint8_t index_is_float;
    uint8_t extent;     /* of one element as it lies in the data: a pair is packed without gaps */
    uint8_t reserved[2];
};

enum window_access_kind {
    WINDOW_PUT = 1,
    WINDOW_GET,
    WINDOW_ACCUMULATE, /* no result */
    WINDOW_FETCH,      /* get_accumulate, fetch_and_op: the result is what was there */
    WINDOW_SWAP,       /* compare_and_swap: data are the value compared with, then the new one; the result is what was there */
};

/* Behind it: `pieces` struct window_piece, then `bytes` bytes of data, filled up to 8. */
struct window_access {
    uint16_t kind;
    uint16_t operator;  /* enum operator (operators.h) of ACCUMULATE and FETCH */
    uint32_t pieces;    /* where in the window, in the order of the data */
    uint64_t bytes;     /* of data that it brings: none of a GET, nor with MPI_NO_OP */
    uint64_t extent;    /* bytes at the window, the sum over `pieces` */
    struct window_element element; /* of the accumulate family */
};

/*
 * Which accesses commute with it: those with the same operator and no result, and those that only read; 0: none.  Sums and products of
 * floating-point numbers are taken to, though they round.
 */
static inline uint32_t window_class(uint32_t kind, uint32_t operator)
{
    if (operator == OPERATOR_NO_OP && kind != WINDOW_SWAP)
        return OPERATOR_NO_OP;
    return kind == WINDOW_ACCUMULATE && operator != OPERATOR_REPLACE ? operator : 0;
}

static inline uint32_t window_access_class(const struct window_access *access)
{
    return window_class(access->kind, access->operator);
}

enum window_message_kind {
    WINDOW_OPEN = 1, /* the owner has made the window: `bytes` bytes of memory, which follow; of a dynamic one, none */
    WINDOW_ATTACH,   /* the owner: struct window_piece and the bytes */
    WINDOW_DETACH,   /* the owner: struct window_piece; its `at` alone counts */
    WINDOW_ACCESS,   /* `accesses` struct window_access */
    WINDOW_EXCHANGE, /* one who has a private copy: `accesses` struct window_access of the kind WINDOW_PUT, what it has stored
                        itself; it is answered with what others have changed since the last time */
    WINDOW_CLOSE,    /* the owner: the window is no more */
};

enum {
    WINDOW_WANTS_ANSWER = 1, /* ACCESS: also if it has no results; EXCHANGE: always set, if an answer is wanted */
    WINDOW_COUNTED = 2,      /* ACCESS: counts for `expected` */
    WINDOW_DYNAMIC = 4,      /* OPEN */
    WINDOW_SHOWN = 8,        /* OPEN: where the message lies the memory stays, and ranks have it between them (shown_memory.h) */
};

struct window_message {
    uint16_t kind;
    uint16_t flags;
    uint32_t accesses;
    uint64_t bytes;    /* OPEN */
    uint64_t expected; /* EXCHANGE: the answer waits until so many `counted` messages have come since OPEN */
};

/*
 * The answer.  To ACCESS: the results, one after the other, each filled up to 8; to EXCHANGE: `pieces` struct window_piece and
 * then their bytes, one after the other.
 */
struct window_answer {
    uint32_t fault;  /* 1 + the number of the first access that is outside of the window (dynamic ones: of what is attached); 0: none */
    uint32_t pieces; /* to EXCHANGE */
};

/*
 * Moves the shared pointer of a file on by so many etypes, and asks where it was; by none: only asks.  Collective calls set it
 * without the keeper.  So each message says which period between two of them it is from, and where the pointer was at its beginning.
 */
struct file_pointer_message {
    uint64_t file;   /* its context */
    uint64_t period; /* from 0 on */
    int64_t start, by;
};

static inline uint32_t file_pointer_class(const struct file_pointer_message *message)
{
    return message->by == 0 ? OPERATOR_NO_OP : 0;
}

/* ---- what ranks tell of windows for the sake of those who compare accesses ---- */

/* What allows an access. */
enum window_epoch {
    WINDOW_BY_FENCE = 1,
    WINDOW_BY_START,
    WINDOW_BY_LOCK,
    WINDOW_BY_ITSELF, /* a store of the rank, of which only a difference is known: since the last look at the memory */
};

/*
 * OP_ACCESS: an access to the window at rank `peer`, told by the call that makes it.  In the tail; behind it, `pieces` struct window_piece.
 * One with many pieces is told in several parts.
 */
struct window_use {
    uint16_t kind;     /* enum window_access_kind; of stores, WINDOW_PUT */
    uint16_t operator; /* as in struct window_access */
    uint16_t epoch;    /* enum window_epoch */
    union {
        uint16_t passive; /* WINDOW_BY_ITSELF: the memory is looked at in every call; else in those that OP_WINDOW tells of */
        uint16_t keys;    /* of the accumulate family: as in struct window_extent, with WINDOW_KEYS_CHANGED; 0: as there */
    };
    uint32_t part;     /* 0: the first */
    uint32_t pieces;
    struct window_element element;
};

static inline const struct window_piece *window_use_pieces(const struct window_use *use)
{
    return (const struct window_piece *)(use + 1);
}

/* OP_WINDOW: what has happened when the operation is posted; `peer` is the target, or RANK_ANY: all of them. */
enum window_event {
    WINDOW_OPENED = 1,      /* on `context`, of its own: the tail is struct window_extent */
    WINDOW_CLOSED,
    WINDOW_FLUSHED,         /* earlier accesses are complete there (12.5.3, 12.5.4) */
    WINDOW_FLUSHED_LOCALLY, /* and here */
    WINDOW_FENCED,          /* MPI_Win_fence returns */
    WINDOW_POSTED,
    WINDOW_COMPLETED,       /* MPI_Win_complete returns */
    WINDOW_WAITED,          /* MPI_Win_wait returns, or MPI_Win_test that says yes */
    WINDOW_SYNCED,          /* MPI_Win_sync returns, or a lock by which the rank sees its own memory as it is */

    /* Of a real job, where no keeper tells who was first (dist/remarks.h); those that learn something have struct window_hearsay in their tail. */
    WINDOW_LOCKED,     /* a lock of `peer` is wanted, not one with MPI_MODE_NOCHECK */
    WINDOW_GRANTED,    /* that lock is held: who had it before, so far as that excludes it */
    WINDOW_RELEASED,   /* it is about to be given back */
    WINDOW_EXPOSED_TO, /* MPI_Win_post is called, and `peer` is in its group */
    WINDOW_STARTED,    /* MPI_Win_start, and `peer` is */
    WINDOW_ENDED,      /* MPI_Win_complete is called, for `peer`, too */
    WINDOW_HEARD,      /* MPI_Win_wait has returned, so `peer` has ended its epoch */
    WINDOW_SEEN,       /* results of atomic accesses to `peer` are there: whose accesses to it were called before */
    WINDOW_NEWS_CAME,  /* whose accesses to this rank's own memory were called before */
    WINDOW_UNTOLD,     /* there were too many remarks: nothing is told from here on */

    /* Of a play: accesses to `peer` were made, and have their results (shown_memory.h): the tail is struct window_done.  With the ticket of an atomic access, if it is one. */
    WINDOW_DONE,
};

/*
 * A sum of what accesses, as they are behind struct window_message, ask for: who polls asks the same again.  Nobody goes round by what is long, and its
 * beginning tells the places.  (FNV-1a, by words.)
 */
static inline uint64_t window_question(const void *accesses, size_t bytes)
{
    enum { BEGINNING = 256 };
    const char *at = accesses;
    uint64_t sum = UINT64_C(0xcbf29ce484222325), word;
    for (size_t i = 0; i + sizeof word <= bytes && i < BEGINNING; i += sizeof word) {
        __builtin_memcpy(&word, at + i, sizeof word);
        sum = (sum ^ word) * UINT64_C(0x100000001b3);
    }
    return sum;
}

/* Behind it: `pieces` struct window_piece, what was written; none of what only reads. */
struct window_done {
    uint64_t sum;     /* window_question */
    uint32_t changed; /* whether bytes became others */
    uint32_t pieces;
};

static inline const struct window_piece *window_done_pieces(const struct window_done *done)
{
    return (const struct window_piece *)(done + 1);
}

static inline bool op_tells_done(const struct op *op)
{
    return op->kind == OP_WINDOW && op->event == WINDOW_DONE;
}

/* The remarks of a rank are counted from 1, in the order in which it made them: one, and all before it. */
struct window_hearsay {
    rank_t rank;
    uint32_t remark;
};

/* Whether the tail of such an event has `bytes` bytes of them. */
static inline bool window_event_learns(uint32_t event)
{
    return event == WINDOW_GRANTED || event == WINDOW_SEEN || event == WINDOW_NEWS_CAME;
}

enum {
    WINDOW_SAME_OPERATOR = 1, /* accumulate_ops=same_op: not even MPI_NO_OP beside another one */
    WINDOW_OF_ADDRESSES = 2,  /* a dynamic one: displacements are addresses */
    /* accumulate_ordering: of two atomic accesses of one rank to one place these are not ordered (12.7.2): */
    WINDOW_NO_RAR = 4,  /* both read */
    WINDOW_NO_RAW = 8,  /* the first writes, the second reads */
    WINDOW_NO_WAR = 16, /* the first reads, the second writes */
    WINDOW_NO_WAW = 32, /* both write */
    WINDOW_KEYS_CHANGED = 64, /* of an access: MPI_Win_set_info has changed what the window was made with */
};

/* The rank's own part.  Where it lies is told only as far as it matters: an address may be another one when the rank is run again. */
struct window_extent {
    uint64_t bytes;
    uint32_t flags;
    uint32_t within; /* 1 + the slot of a window with which it has memory in common; 0: none */
    int64_t apart;   /* it begins so many bytes behind that one */
};

#endif
