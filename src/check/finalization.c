#include "check/finalization.h"

#include "call/dynamic.h"

/* A rank that nobody has started, or the registry, is in its last operation for ever (call/dynamic.h). */
static bool was_never_started(const struct explorer *x, node_id node)
{
    struct history history = explore_history(x, node);
    const struct op *op = history.ops;
    for (uint32_t i = 1; i < history.count; i++)
        op = op_next(op);
    return history.count && op_awaits_birth(op);
}

bool finalization_is_complete(const struct explorer *x, const struct run *run, int ranks)
{
    for (rank_t r = 0; r < ranks; r++)
        if (!explore_history(x, run->node[r]).finished && !was_never_started(x, run->node[r]))
            return false;
    return run->end == RUN_CLEAN && !run->less_slack;
}
