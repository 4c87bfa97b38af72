/*
 * program -- what an execution says about all runs with the same control flow.
 *
 * Same control flow means: every rank makes the same calls with the same
 * arguments as it did, as far as it gets.  What is free is which send meets which
 * receive, what is buffered, and when things happen.  What is fixed:
 *  - A waitany, waitsome or test returns the requests it returned.  What would be
 *    posted after another answer is unknown, so a run that could only give another
 *    one leaves what we know, and is no deadlock of ours.
 *  - A test or iprobe that said no says no: it always may (M8).  One that said yes
 *    must say yes, and nobody is ever stuck in it: it could say no and go on to
 *    where nothing is known.
 *  - A probe tells the source and tag it told (what follows usually names them); a
 *    matched probe is a receive, and is as free as one; but what it took is received,
 *    and lets its sender go on, only where that was (M6).
 *  - What was cancelled stays without match; what a cancel failed for is
 *    matched before it, or a send that is buffered (D5).  No probe is taken to have seen a send that was cancelled
 *    later: such a deadlock, if it is one, is not looked for.
 * A rank is held up at its halts only: the calls that may block.  Whatever it posts
 * between two halts is posted as soon as the first has been passed.
 *
 * Receives that differ in nothing but their turn are one slot with room for
 * several: blocking ones in a row, or non-blocking ones waited for together.  Within
 * a slot it does not matter who took which message (M3 orders the receives, and
 * nobody can act on a part of them).
 */
#ifndef PREDICT_PROGRAM_H
#define PREDICT_PROGRAM_H

#include "predict/execution.h"
#include "sem/sem.h"

typedef int32_t halt_t; /* index of a halt */
enum { HALT_START = -1, HALT_NEVER = -2 };

enum thing { THING_SEND, THING_SLOT, THING_PART };

struct return_condition {
    enum thing thing;
    bool escapes; /* of a send whose cancel failed (D5): that it is taken is enough, received or not */
    uint32_t id;
};

struct halt {
    rank_t rank;
    uint32_t op;
    halt_t before;          /* of the same rank, or HALT_START */
    uint32_t first, needs;  /* in `need`: it returns when all these are complete */
    uint32_t others;        /* behind them: if one of these is complete, it returns, too */
    int32_t probe;          /* and when this one finds something; -1: none */
    bool firm;              /* a rank that comes here passes */
    bool shut;              /* nobody knows how it would return */
    bool merged;            /* inside a slot: no halt of its own any more */
};

struct send {
    rank_t rank, to;
    uint32_t op;
    context_t context;
    int32_t tag;
    enum send_mode mode;
    uint64_t bytes;
    halt_t after, waited; /* posted when `after` is passed; waited for at, or HALT_NEVER */
    bool asked;           /* some halt depends on it */
    bool withdrawn;
    halt_t gone_after;                 /* withdrawn: when this halt is passed */
    uint32_t mailbox, envelope, index; /* the index-th of its envelope */
    uint32_t place;        /* among the sends of its channel */
    uint32_t lowest, highest; /* of the envelope's slots: where it may be taken; lowest > highest: nowhere */
};

struct slot {
    rank_t rank, from;
    context_t context;
    int32_t tag;
    uint32_t first, room; /* in `recv`: operations */
    halt_t after, waited;
    halt_t
        received; /* what it has got is received when this is passed: `after`; a matched probe's, later, or HALT_NEVER */
    bool withdrawn;
    halt_t gone_after;
    bool blocking, takes; /* blocking receive; matched probe */
    uint32_t mailbox, pattern;
};

/* The receive of what a matched probe took. */
struct receipt {
    rank_t rank;
    uint32_t slot;
    halt_t after;
};

struct collective_call {
    rank_t rank;
    uint32_t op, call;
    context_t context;
    uint32_t turn;
    uint32_t from, until, first, listed; /* positions needed; in `listed` */
    halt_t after, waited;
    uint32_t comm;
};

struct probe {
    rank_t rank, from, told_from;
    context_t context;
    int32_t tag, told_tag;
    uint32_t op;
    halt_t after;
    uint32_t mailbox;
    uint32_t next_slot; /* of the rank: the first posted after it */
};

/* Slots of one pattern, in order. */
struct pattern {
    bool shared;        /* some send fits slots of another pattern, too, or something is withdrawn */
    VEC(uint32_t) slot; /* owns */
    VEC(uint32_t) envelope; /* owns; those that fit */
};

/* Of the slots that fit an envelope, before some point and not withdrawn: the last of each pattern, or UINT32_MAX. */
struct nearest {
    uint32_t slot[4];
};

/* All sends of one source and tag to a mailbox: they are matched in order (M2). */
struct envelope_class {
    rank_t from;
    int32_t tag;
    uint32_t mailbox, channel;
    VEC(uint32_t) send; /* owns; in order */
    VEC(uint32_t) slot; /* owns; those that fit, in order */
    struct nearest *nearest; /* owns; before each of them, and before the end */
};

/* All sends of one source to a mailbox. */
struct channel {
    VEC(uint32_t) send; /* owns; in order */
};

/* A rank and a context: what can meet, meets here. */
struct mailbox {
    VEC(uint32_t) slot, envelope; /* owns */
    bool withdrawals;
};

struct traced_communicator {
    context_t context;
    uint32_t members, first_group;
    const rank_t *member; /* borrows from the execution */
};

struct program {
    const struct execution *execution; /* borrows */
    int ranks;
    bool merges;        /* receives into slots */
    halt_t *first_halt; /* by rank, and one more */
    halt_t *last_halt;  /* by rank: not merged; HALT_START: none */
    VEC(struct halt) halt;
    VEC(struct return_condition) need;
    VEC(struct send) send;
    VEC(struct slot) slot;
    VEC(uint32_t) recv;
    VEC(struct receipt) receipt; /* rank by rank, in order */
    VEC(struct collective_call) part;
    VEC(uint32_t) listed;
    VEC(struct probe) probe;
    VEC(struct envelope_class) envelope;
    VEC(struct channel) channel;
    VEC(struct mailbox) mailbox;
    VEC(struct traced_communicator) comm;
    struct map part_of;     /* by comm, turn and position */
    struct map mailbox_of, envelope_of, channel_of, pattern_of, comm_of;
    VEC(struct pattern) pattern;
};

/* The execution must outlive it.  `merge`: receives that are alike share a slot; else each has its own. */
void program_init(struct program *, const struct execution *, bool merge);
void program_release(struct program *);

/* M6, M7: whether it may complete before it is received, with this slack as in sem.h. */
bool send_may_be_buffered(const struct send *, uint64_t slack);

/* The part of the member at this position, or UINT32_MAX: it makes no such call. */
uint32_t program_part(const struct program *, const struct collective_call *, uint32_t position);

#endif
