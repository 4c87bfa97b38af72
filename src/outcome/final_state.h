/*
 * final_state -- the state in which a run ended, as reports look at it.
 *
 * Runs are played (play/) or explored (explore/, drive/); a report does not care.
 */
#ifndef OUTCOME_FINAL_STATE_H
#define OUTCOME_FINAL_STATE_H

#include <stdbool.h>
#include <sys/types.h>

#include "outcome/end.h"
#include "sem/sem.h"

struct final_state {
    void *data; /* for the functions */
    int ranks;
    const struct sem *sem;
    enum rank_stand (*stand)(void *, rank_t, int *exit_code);
    const struct op *(*call)(void *, rank_t);           /* RANK_IN_CALL: which */
    const struct op *(*op)(void *, op_id);              /* what was posted */
    const char *(*context_name)(void *, context_t);     /* NULL: none */
    const char *(*type_name)(void *, rank_t, uint32_t); /* NULL: none */
    pid_t (*process)(void *, rank_t);                   /* in whose memory addresses can be looked up; 0: none */
    pid_t (*at_hand)(void *, rank_t);                   /* the same, but it may lack what was loaded later; NULL: unknown */
    bool (*has_chosen)(void *, rank_t);                 /* one of its calls could have come out otherwise; NULL: unknown */
    const struct op *(*init)(void *, rank_t);           /* if it has ended, its OP_INIT tells where the program lay; NULL: unknown */
};

static inline const struct op *final_call(const struct final_state *final, rank_t r)
{
    int code;
    return final->stand(final->data, r, &code) == RANK_IN_CALL ? final->call(final->data, r) : NULL;
}

/* How many ranks there are, those aside that nobody has started. */
static inline int final_count_born(const struct final_state *final)
{
    int born = 0, code;
    for (rank_t r = 0; r < final->ranks; r++)
        born += final->stand(final->data, r, &code) != RANK_UNBORN;
    return born;
}

/* In a call that blocks, not in one that polls. */
static inline bool final_waits(const struct final_state *final, rank_t r)
{
    const struct op *call = final_call(final, r);
    return call && !op_is_poll(call);
}

/*
 * As sem_needs; but who waits for the keeper of a window (call/window.h) waits for those that the keeper waits for: of a lock, for
 * whoever has it.
 */
int final_needs(const struct final_state *, rank_t, void (*tell)(void *, const struct sem_need *), void *);

#endif
