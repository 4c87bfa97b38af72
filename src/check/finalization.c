#include "check/finalization.h"

bool finalization_is_complete(const struct explorer *x, const struct run *run, int ranks)
{
    for (rank_t r = 0; r < ranks; r++)
        if (!explore_history(x, run->node[r]).finished)
            return false;
    return run->end == RUN_CLEAN && !run->less_slack;
}
