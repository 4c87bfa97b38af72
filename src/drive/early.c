#include "drive/early.h"

bool early_take(struct segment_ahead *early, struct map_key answer, struct early_run *run)
{
    for (size_t i = early->run.n; i-- > 0;) {
        struct map_key key = early->run.at[i].answer;
        if (key.high != answer.high || key.low != answer.low)
            continue;
        *run = early->run.at[i];
        early->run.at[i] = vec_pop(&early->run);
        return true;
    }
    return false;
}
