/*
 * op -- one MPI operation in neutral form, as the shim reports it.
 *
 * This is the language between the ranks and everything else: no MPI types, no
 * pointers into a rank, ranks always counted in MPI_COMM_WORLD, communicators
 * named by a context that is the same number in every member.  A blocking call
 * is an operation plus its completion (M6); OPF_BLOCKING says that the
 * completion is part of the same call.
 */
#ifndef CALL_OP_H
#define CALL_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call/op_kinds.h"

typedef int32_t rank_t;
typedef uint64_t context_t;

enum { RANK_ANY = -1, RANK_NONE = -2, TAG_ANY = -1 };

enum {
    OPF_BLOCKING = 1 << 0,    /* the call returns when the operation is complete */
    OPF_SYNCHRONOUS = 1 << 1, /* send modes; none of the three: standard */
    OPF_BUFFERED = 1 << 2,
    OPF_READY = 1 << 3,
    OPF_ANY = 1 << 4,         /* completion: one of the list */
    OPF_SOME = 1 << 5,        /* completion: at least one; neither: all */
    OPF_TAKE = 1 << 6,        /* matched probe: the request holds the message */
    OPF_WENT_ON = 1 << 7,     /* nobody waits for an answer */
    OPF_ORDERED = 1 << 8,     /* collective: slice k goes to member k */
    OPF_ATTACHED = 1 << 9,    /* send: the message of a buffered one; it may lie in the attached buffer until it is received */
    OPF_CALM = 1 << 10,       /* send to the keeper of a window (window.h): it commutes with all others, so nobody chooses */
    OPF_ASKS = 1 << 12,       /* send to the keeper of a window: it is answered, and the rank waits for that */
    OPF_AFTER = 1 << 11,      /* send: not before all earlier ones of this rank to `after` on this context are received, */
    OPF_AFTER_SHARED = 1 << 18, /* or, with this flag, too, those with the tag WINDOW_SHARED (window.h) */
    OPF_TOO_LATE = 1 << 12,   /* cancel: the message was received, though that may not have been read yet (mail.h) */
    OPF_ONCE = 1 << 13,       /* choice: of all with this flag at most one in a run is another than the first */
    OPF_EITHER = 1 << 15,     /* completion, with OPF_ANY: tells the number of one that is complete, from 0, and completes none; which
                                 of several it is makes no difference, since threads wait for them (shim/turns.h); with
                                 OPF_ORDERED, it is a choice, made when everybody rests, since with less slack only one of them may be complete */
    OPF_OTHERS_GO = 1 << 16,  /* the same: other threads of the rank could go on before one of these is complete */
    OPF_CERTAIN = 1 << 17,    /* receive from the keeper of a window: the rank knows what it brings, a struct window_answer that is zero */
    OPF_WITHHOLDS = 1 << 19,  /* the rank sleeps, and holds accesses back for such as it calls later (shim/window/either_order.h): nobody is stuck there, for in MPI they happen */
    OPF_COMMON = 1 << 14,     /* choice: the same one for all `count` ranks that make it, by `context` and `turn` */
};

struct op {
    uint32_t size;     /* of the record with its tail; a multiple of 8 */
    uint8_t kind;      /* enum op_kind */
    uint8_t thread;    /* of the rank, which made the call: 0 has called MPI_Init.  A number is given again when its thread is gone */
    uint16_t call;     /* enum call: what the user wrote */
    uint32_t flags;
    uint32_t request;  /* the rank's number for it; 0: none */
    rank_t peer;       /* destination, source or root, or RANK_ANY / RANK_NONE */
    union {
        int32_t tag;          /* of a message, or TAG_ANY */
        int32_t turn;         /* OP_COLL, OP_CHOOSE with OPF_COMMON: its number on this communicator */
        int32_t level;        /* OP_INIT: what the program was given of threads; OP_PCONTROL: its argument */
        int32_t rests;        /* OP_FINALIZE: it may begin again, by a session */
        int32_t code;         /* OP_ABORT: as the user gave it; OP_ERROR: the class; OP_CRASH: the signal, 0: it hangs */
        int32_t complaint;    /* OP_COMPLAINT: enum complaint */
        int32_t waited;       /* OP_UNSTARTED: 0: now it is started */
        int32_t tenure;       /* OP_TENURE: enum window_tenure; `peer` is the lock */
        int32_t slot;         /* OP_ACCESS, OP_WINDOW: of the window */
    };
    context_t context;
    uint64_t place;    /* return address of the call */
    union {
        uint64_t bytes;       /* of the message, the room for one, or what a member brings */
        uint64_t room;        /* OP_ROOM, OP_ATTACHED: bytes wanted, or given */
        uint64_t places;      /* OP_PLACES: so many ranks are to be started, by the `type`-th spawn whose root this rank is */
        uint64_t offset;      /* OP_INIT, OP_COMPLAINT: where `place` is in the file that the tail names */
    };
    uint64_t payload;  /* arena offset; 0: the payload, if any, is the tail's end */
    union {
        int64_t count;        /* as the user gave it, with `type`; for reports */
        int64_t cause;        /* OP_ERROR: enum complaint */
        int64_t times;        /* OP_COMPLAINT: things made or called at `place` */
        int64_t overhead;     /* OP_ATTACHED: what a message takes more than its bytes */
        int64_t overtakes;    /* OP_SEND of WINDOW_ATOMIC: so many accesses of the rank to that target were called before this one, and are sent after it */
    };
    uint32_t type;
    union {
        uint32_t items;    /* entries of the tail's list; OP_CHOOSE: alternatives */
        rank_t after;      /* OP_SEND with OPF_AFTER */
        uint32_t buffer;   /* OP_SEND with OPF_ATTACHED, OP_ATTACHED: the rank's number for the buffer; 0: that of the process */
        uint32_t event;    /* OP_WINDOW: enum window_event; OP_FILE: enum file_event */
    };
    union {
        uint64_t signature; /* of `type` (signature.h); 0: not known */
        uint64_t ticket;    /* OP_SEND to a keeper of a window, OP_WINDOW: of shown_lock.h or shown_memory.h; 0: none */
    };
};

/*
 * A communicator's members by position: the local group, then for an
 * intercommunicator the remote one.  Every member sees the same order: of two
 * groups, the one with the smaller first rank comes first.
 */
struct op_group {
    context_t parent;     /* where it came from; 0: from nowhere */
    uint32_t members;
    uint32_t first_group; /* members of the first group; all, if there is one */
    rank_t member[];
};

enum { SLICE_FOR_ALL = -1 };

/* A part of what a member brings to a collective, and for which position. */
struct op_slice {
    int32_t to;
    uint32_t reserved;
    uint64_t bytes;
};

/*
 * One member's part in a collective (M5).  It completes when the members at the
 * positions from..until-1, and those in the list, have joined: its data flow.
 * The slices lie one after the other in the payload.  What it takes is told so that
 * it can be compared with what the others bring; of a reduction, all bring the same.
 * Members from whom it takes no bytes are not needed, and listed apart for the comparison.
 */
struct op_coll {
    uint32_t from, until; /* positions needed */
    uint32_t listed;      /* so many positions (uint32_t) that are needed as well follow this struct */
    uint32_t idle;        /* so many positions from whom it takes nothing follow those */
    uint32_t slices;      /* struct op_slice each, behind the lists, 8-aligned */
    uint32_t takes;       /* uint64_t bytes, behind the slices: one for each needed, or one for all; 0: it is not told */
    uint32_t reduction;   /* enum operator (operators.h) */
    uint32_t typed;       /* 1: behind that, a signature of its own for each slice, and for each that is taken */
    uint64_t taken;       /* the signature of what it takes; 0: not known.  That of what it brings is in struct op */
};

/*
 * A thread of the rank, and what it waits for.  So many as `type` says follow the numbers of a wait with OPF_EITHER, 8-aligned;
 * they are only told.
 */
enum thread_wait { THREAD_IN_CALL, THREAD_ON_MUTEX, THREAD_ON_END, THREAD_ON_ANOTHER };
struct op_thread {
    uint16_t thread;
    uint16_t call;  /* enum call: THREAD_IN_CALL */
    uint32_t wait;  /* enum thread_wait */
    int32_t other;  /* THREAD_ON_MUTEX: who holds it, THREAD_ON_END: who is to end; -1: unknown */
    uint32_t reserved;
    uint64_t place;
    uint64_t lock;  /* THREAD_ON_MUTEX: where it is; 0: unknown */
};

static inline size_t op_round(size_t n)
{
    return (n + 7) & ~(size_t)7;
}

static inline const void *op_tail(const struct op *op)
{
    return op + 1;
}

static inline size_t op_tail_size(const struct op *op)
{
    return op->size - sizeof *op;
}

/* The record behind this one, in a row of them. */
static inline const struct op *op_next(const struct op *op)
{
    return (const struct op *)((const char *)op + op->size);
}

/* The threads that a wait with OPF_EITHER tells of; how many there are. */
static inline const struct op_thread *op_threads(const struct op *op, uint32_t *n)
{
    size_t numbers = op_round(op->items * sizeof(uint32_t)), room = op_tail_size(op);
    *n = op->kind == OP_WAIT && op->flags & OPF_EITHER && room >= numbers ? op->type : 0;
    if (*n > (room - numbers) / sizeof(struct op_thread))
        *n = 0;
    return (const struct op_thread *)((const char *)(op + 1) + numbers);
}

/* ---- what the table says of its kind ---- */

static inline enum op_part op_part(const struct op *op)
{
    return op_kind_part(op->kind);
}

/* May say no. */
static inline bool op_is_poll(const struct op *op)
{
    return op_kind_answer(op->kind) == OP_ANSWER_MAY_BE_NO;
}

/* Posts a send, a receive or a part of a collective: what can meet others, and is complete some time. */
static inline bool op_posts(const struct op *op)
{
    return op_part(op) == OP_PART_POST;
}

/* Asks for what became of the requests in its list. */
static inline bool op_completes(const struct op *op)
{
    return op_part(op) == OP_PART_COMPLETION;
}

/* Asks which of several alternatives it is to be. */
static inline bool op_chooses(const struct op *op)
{
    return op_part(op) == OP_PART_CHOICE;
}

/* Asks for a message. */
static inline bool op_probes(const struct op *op)
{
    return op_part(op) == OP_PART_PROBE;
}

static inline bool op_communicates(const struct op *op)
{
    return op_posts(op) || op_completes(op) || op_probes(op);
}

/* Nothing comes after it. */
static inline bool op_ends_rank(const struct op *op)
{
    return op_part(op) == OP_PART_END;
}

/* Says something to reports, and changes nothing. */
static inline bool op_is_remark(const struct op *op)
{
    return op_part(op) == OP_PART_REMARK;
}

/* The rank sleeps in its call until it is answered. */
static inline bool op_wants_answer(const struct op *op)
{
    if (op->flags & OPF_WENT_ON)
        return false;
    switch (op_kind_answer(op->kind)) {
    case OP_ANSWER_NONE:
        return false;
    case OP_ANSWER_IF_BLOCKING:
        return op->flags & OPF_BLOCKING;
    case OP_ANSWER_ALWAYS:
    case OP_ANSWER_MAY_BE_NO:
        return true;
    }
    return false;
}

static inline const uint32_t *op_coll_list(const struct op_coll *coll)
{
    return (const uint32_t *)(coll + 1);
}

static inline const uint32_t *op_coll_idle(const struct op_coll *coll)
{
    return op_coll_list(coll) + coll->listed;
}

/* Of both lists, in bytes. */
static inline size_t op_coll_lists(const struct op_coll *coll)
{
    return op_round(((size_t)coll->listed + coll->idle) * sizeof(uint32_t));
}

static inline const struct op_slice *op_coll_slices(const struct op_coll *coll)
{
    return (const struct op_slice *)((const char *)(coll + 1) + op_coll_lists(coll));
}

static inline const uint64_t *op_coll_takes(const struct op_coll *coll)
{
    return (const uint64_t *)(op_coll_slices(coll) + coll->slices);
}

/* Of the slices, then of what is taken; if it is `typed`. */
static inline const uint64_t *op_coll_types(const struct op_coll *coll)
{
    return op_coll_takes(coll) + coll->takes;
}

/* Where its description ends and the payload, if it lies there, begins. */
static inline size_t op_coll_size(const struct op_coll *coll)
{
    const uint64_t *types = op_coll_types(coll);
    return (size_t)((const char *)(types + (coll->typed ? coll->slices + coll->takes : 0)) - (const char *)coll);
}

#endif
