/*
 * scene -- the state in which a run ended, as reports look at it.
 *
 * Runs are played (play/) or explored (explore/, drive/); a report does not care.
 */
#ifndef REPORT_SCENE_H
#define REPORT_SCENE_H

#include <stdbool.h>
#include <sys/types.h>

#include "sem/sem.h"

enum fate {
    FATE_IN_CALL,   /* in a call that did not return */
    FATE_ELSEWHERE, /* computing */
    FATE_FINALIZED, /* has called MPI_Finalize */
    FATE_ENDED,     /* has ended without */
};

struct scene {
    void *data; /* for the functions */
    int ranks;
    const struct sem *sem;
    enum fate (*fate)(void *, rank_t, int *exit_code);
    const struct op *(*call)(void *, rank_t);           /* FATE_IN_CALL: which */
    const struct op *(*op)(void *, op_id);              /* what was posted */
    const char *(*context_name)(void *, context_t);     /* NULL: none */
    const char *(*type_name)(void *, rank_t, uint32_t); /* NULL: none */
    pid_t (*process)(void *, rank_t);                   /* in whose memory addresses can be looked up; 0: none */
    pid_t (*at_hand)(void *, rank_t);                   /* the same, but it may lack what was loaded later; NULL: unknown */
    bool (*has_chosen)(void *, rank_t);                 /* one of its calls could have come out otherwise; NULL: unknown */
    const struct op *(*init)(void *, rank_t);           /* if it has ended, its OP_INIT tells where the program lay; NULL: unknown */
};

static inline const struct op *scene_call(const struct scene *scene, rank_t r)
{
    int code;
    return scene->fate(scene->data, r, &code) == FATE_IN_CALL ? scene->call(scene->data, r) : NULL;
}

/* In a call that blocks, not in one that polls. */
static inline bool scene_waits(const struct scene *scene, rank_t r)
{
    const struct op *call = scene_call(scene, r);
    return call && !op_is_poll(call);
}

#endif
