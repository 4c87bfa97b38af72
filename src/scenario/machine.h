/*
 * machine -- one rank of a scenario: where it is and what its variables hold.
 *
 * Knows nothing of other ranks.  Whoever runs it looks at the MPI call it has come to,
 * says what became of it, and finds it at the next one.  A machine is plain data: equal
 * bytes do the same from there on.
 */
#ifndef SCENARIO_MACHINE_H
#define SCENARIO_MACHINE_H

#include "scenario/scenario.h"

enum machine_state {
    MACHINE_RUNS,
    MACHINE_ENDED,
    MACHINE_ERROR, /* it came to `error`, or did what cannot be: `fault` */
};

enum machine_fault {
    FAULT_STATED,   /* an `error` statement */
    FAULT_ENDLESS,  /* it does not come to an end */
    FAULT_RANK,     /* a variable names a rank that is not there */
    FAULT_PENDING,  /* starts something whose request is still in use */
    FAULT_INACTIVE, /* cancels, frees or receives what is not there */
    FAULT_EPOCH,    /* a call of one-sided communication where no epoch, or another one, is open */
    FAULT_PARTITION, /* marks ready what is not there, not started or ready already, or asks for what is not there */
    FAULT_SIZES,     /* receives as many partitions as were not sent */
};
const char *fault_name(enum machine_fault);

enum held_lock { HELD_NONE, HELD_SHARED, HELD_EXCLUSIVE };

/* Of an access, in `active`: it waits for its answer, or for the next fence. */
enum access_state { ACCESS_NONE, ACCESS_AWAITED, ACCESS_QUEUED };

/* Epochs of the window (window_calls.h). */
struct machine_window {
    uint8_t stage;                    /* of the call at hand, which may wait more than once */
    uint8_t lock_all, fence_open;
    uint8_t lock[SCENARIO_RANKS];     /* enum held_lock */
    uint32_t started, posted;         /* ranks, a bit for each */
    uint32_t counted[SCENARIO_RANKS]; /* messages to each target since win_start */
    uint32_t expected, announced;     /* messages to this rank, in all, and by the fence at hand */
    uint32_t fences;
    int32_t brought[SCENARIO_REQUESTS], compared[SCENARIO_REQUESTS]; /* of accesses that wait for the next fence */
};

/* By request of psend_init or precv_init (partitions.h). */
struct machine_partitions {
    uint8_t made[SCENARIO_REQUESTS];  /* how often its init was called */
    uint8_t pair[SCENARIO_REQUESTS];  /* which of those with its envelope it is (P1), from 1; 0: there is none */
    uint8_t over[SCENARIO_REQUESTS];  /* partitions that were marked ready, or have arrived, since the start: a bit for each */
    uint8_t begun[SCENARIO_REQUESTS]; /* the start is complete: it has met that of the other side, or was buffered */
    uint8_t asked[SCENARIO_REQUESTS]; /* of a send: it was asked for before all partitions were ready */
};

struct machine {
    uint32_t pc;
    uint8_t state, fault;
    uint8_t unsafe; /* a buffer was touched while it was in use */
    uint8_t reserved;
    int32_t value[SCENARIO_VARIABLES];
    uint8_t active[SCENARIO_REQUESTS]; /* requests that are waited for some day; of an access, enum access_state */
    uint32_t turns[SCENARIO_COMMS];    /* collectives so far */
    struct machine_window window;
    struct machine_partitions parts;
};

/* A rank at work. */
struct ranked {
    const struct scenario *scenario;
    rank_t rank;
    struct machine *machine;
};

void machine_start(struct ranked);

/* The MPI call that it has come to; while it runs. */
const struct statement *machine_call(struct ranked);
void machine_fail(struct ranked, enum machine_fault);

/* The operation of this statement is posted: what it sends, n values; and the rank it names. */
int32_t machine_value(struct ranked, const struct statement *, size_t n);
rank_t machine_peer(struct ranked, const struct peer_expression *, uint32_t comm);     /* RANK_NONE: it failed */
void machine_post(struct ranked, const struct statement *, uint32_t slot, bool stays); /* stays: the call does not wait */

/* The requests that a completion call is about, without those that are not active. */
uint32_t machine_requests(struct ranked, const struct statement *, uint32_t *slots);

/* Something came for a request; then machine_return. */
void machine_receive(struct ranked, const struct statement *into, rank_t source, int32_t value);
struct coll_piece {
    int32_t value;
    bool brought;
};
/* ---- messages in parts (partitions.h) ---- */

/* The statement that has made the request which a pready or parrived is about, and whether it has a partition of this number. */
const struct statement *partitions_made(struct ranked, const struct statement *call);
bool has_partition(const struct statement *made, int32_t number);

/* All were marked ready, or have arrived. */
bool partitions_are_all_over(struct ranked, const struct statement *made);
/* Requests of a completion call that have begun, and whose partitions are all over, become inactive. */
void partitions_settle(struct ranked, const struct statement *call);

/* The partition that a parrived asks for; the machine may fail. */
uint32_t partition_asked(struct ranked, const struct statement *call);

/* One partition came for a precv_init. */
void machine_arrive(struct ranked, const struct statement *into, uint32_t partition, int32_t value);

/* By position, those that it needs; the others do not matter. */
void machine_collect(struct ranked, const struct statement *, const struct coll_piece *);

/* The call at hand returns, and the rank goes on to its next: how a poll ended, or which request, or how many. */
void machine_return(struct ranked, int32_t flag, bool cancelled);

/* What a condition or value of this rank is. */
int32_t machine_eval(struct ranked, expr_id);

/* The same for operators on numbers. */
int32_t expr_combine(enum expr_kind, int32_t left, int32_t right);

#endif
