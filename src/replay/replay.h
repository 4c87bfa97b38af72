/*
 * replay -- the run of one finding once more.
 *
 * First in silence (rehearsal.c): the search makes the decisions of the run again, and so learns
 * whether it comes out the same.  Then for the user (replay.c): the same histories once more,
 * one process for each rank, with everything that they print, up to the point in
 * question, where every rank stays in its call: also in one that MPI need not hold
 * up, if the finding is about that.
 */
#ifndef REPLAY_REPLAY_H
#define REPLAY_REPLAY_H

#include <string.h>

#include "check/check.h"
#include "diagnosis/run_view.h"
#include "options/options.h"
#include "replay/debugger.h"
#include "replay/rerun.h"
#include "result/result.h"
#include "symbols/symbol.h"

/* A stretch of a rank's history, which a process runs in one go. */
struct replay_stretch {
    node_id node;
    rank_t rank;
    uint32_t first; /* number of its first operation in the history of the rank */
    uint32_t ops;   /* how many operations it has */
    bool whole;     /* it goes to the end of the segment */
};

struct replay {
    const struct arguments *arguments; /* borrows */
    const char *dir;
    uint32_t id;   /* of the finding */
    uint32_t step; /* the last to be made; 0: to the end */
    struct result result;
    const struct finding *finding;
    struct rerun rerun;      /* owns */
    struct run_view run;     /* of it, as it goes */
    struct symbols *symbols; /* owns */
    struct check check;
    bool ended;                           /* the run came to its end */
    bool same;                            /* it ended with the finding that is replayed */
    struct finding other;                 /* what it ended with instead */
    bool has_other;                       /* `other` is set */
    VEC(struct replay_stretch) stretches; /* in the order in which they were run */
    struct debuggee *rank;                /* owns */
    uint32_t steps;                       /* of the whole run */
};

/* The run of a finding in a result directory, as the options want it; returns the exit code of tourney. */
int replay_finding(const char *dir, uint32_t id, const struct arguments *);

/* rehearsal.c: makes the decisions of the run again, in silence, and sees whether it comes out the same. */
void replay_rehearse(struct replay *);

/* steps.c: the way that it went, as stretches; of their operations, those that the program knows of are steps. */
void replay_find_steps(struct replay *);
void replay_list_steps(struct replay *);
void replay_stop_at_step(struct replay *); /* the one that was asked for becomes the last of all */
void replay_tell_last_step(struct replay *);
const struct op *replay_op(const struct replay *, const struct replay_stretch *, uint32_t index);

static inline bool replay_is_of(const struct replay *replay, const char *kind)
{
    return strcmp(replay->finding->kind, kind) == 0;
}

#endif
