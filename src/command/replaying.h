/*
 * replaying -- the run of a finding that is made again, by those who do that in turn.
 */
#ifndef COMMAND_REPLAYING_H
#define COMMAND_REPLAYING_H

#include <string.h>

#include "check/check.h"
#include "command/again.h"
#include "command/debugger.h"
#include "command/options.h"
#include "report/explored.h"
#include "report/symbol.h"
#include "result/result.h"

/* A stretch of a rank's history, which a process runs in one go. */
struct leg {
    node_id node;
    rank_t rank;
    uint32_t first; /* number of its first operation in the history of the rank */
    uint32_t ops;   /* how many operations it has */
    bool whole;     /* it goes to the end of the segment */
};

struct replay {
    struct said said; /* owns */
    const char *dir;
    uint32_t id;   /* of the finding */
    uint32_t step; /* the last to be made; 0: to the end */
    struct result result;
    const struct finding *finding;
    struct again again;      /* owns */
    struct explored run;     /* of it, as it goes */
    struct symbols *symbols; /* owns */
    struct check check;
    bool ended;              /* the run came to its end */
    bool same;               /* it ended with the finding that is replayed */
    struct finding other;    /* what it ended with instead */
    bool has_other;          /* `other` is set */
    VEC(struct leg) legs;    /* in the order in which they were run */
    struct debuggee *rank;   /* owns */
    uint32_t steps;          /* of the whole run */
};

/* remade.c: makes the decisions of the run again, in silence, and sees whether it comes out the same. */
void replay_remake(struct replay *);

/* steps.c: the way that it went, as legs; of their operations, those that the program knows of are steps. */
void replay_find_steps(struct replay *);
void replay_list_steps(struct replay *);
void replay_stop_at_step(struct replay *); /* the one that was asked for becomes the last of all */
void replay_tell_last_step(struct replay *);
const struct op *replay_op(const struct replay *, const struct leg *, uint32_t index);

static inline bool replay_is_of(const struct replay *replay, const char *kind)
{
    return strcmp(replay->finding->kind, kind) == 0;
}

#endif
