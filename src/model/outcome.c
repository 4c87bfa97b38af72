#include "model/outcome.h"

#include "base/hash.h"

bool outcome_tells(const struct model_outcome *outcome, rank_t r)
{
    if (outcome->end == RUN_CLEAN || outcome->end == RUN_DEADLOCK || outcome->end == RUN_LIVELOCK)
        return true;
    return outcome->end != RUN_MISMATCH && outcome->stand[r].fails;
}

static struct map_key outcome_key(const struct model_outcome *outcome, int ranks)
{
    struct map_key sum = HASH_START;
    hash_stir(&sum, outcome->end);
    for (int r = 0; r < ranks; r++)
        if (outcome_tells(outcome, r))
            hash_stir(&sum, (uint64_t)outcome->stand[r].node << 32 | outcome->stand[r].op);
        else
            hash_stir(&sum, 0);
    return sum;
}

struct model_stand outcome_stand(const struct explorer *explorer, node_id id, const struct op *call)
{
    struct history history = explore_history(explorer, id);
    const struct op *op = history.ops;
    struct model_stand stand = {.node = id};
    stand.fails = !call && history.end != SEGMENT_CALL && history.end != SEGMENT_EXIT;
    while (call && stand.op++ < history.count && op != call)
        op = op_next(op);
    return stand;
}

/* What can happen without less buffering, too, is not told as if it needed it. */
static bool is_known_outcome(struct map *known, model_outcomes_t *outcomes, const struct model_outcome *outcome,
                             int ranks)
{
    struct map_key key = outcome_key(outcome, ranks);
    uint32_t before = map_find(known, key, 0);
    if (before)
        outcomes->at[before - 1].less_slack &= outcome->less_slack;
    else
        map_put(known, key, (uint32_t)known->n + 1);
    return before;
}

void outcomes_add(struct outcomes *outcomes, const struct run *run)
{
    struct model_outcome outcome = {run->end, run->less_slack != NULL,
                                    xcalloc((size_t)outcomes->ranks, sizeof *outcome.stand)};
    for (int r = 0; r < outcomes->ranks; r++)
        outcome.stand[r] = outcomes->stand(outcomes->data, run->node[r], run->call[r]);
    if (is_known_outcome(&outcomes->known, &outcomes->at, &outcome, outcomes->ranks))
        free(outcome.stand);
    else
        vec_push(&outcomes->at, outcome);
}

void outcomes_drop_doubles(model_outcomes_t *outcomes, int ranks)
{
    struct map known = {0};
    size_t kept = 0;
    for (size_t i = 0; i < outcomes->n; i++) {
        struct model_outcome outcome = outcomes->at[i];
        if (is_known_outcome(&known, outcomes, &outcome, ranks))
            free(outcome.stand);
        else
            outcomes->at[kept++] = outcome;
    }
    outcomes->n = kept;
    map_release(&known);
}

bool outcomes_agree(const model_outcomes_t *a, const model_outcomes_t *b, int ranks)
{
    struct map known = {0};
    bool agree = a->n == b->n;
    for (size_t i = 0; i < a->n; i++)
        map_put(&known, outcome_key(&a->at[i], ranks), 1);
    for (size_t i = 0; i < b->n && agree; i++)
        agree = map_find(&known, outcome_key(&b->at[i], ranks), 0);
    map_release(&known);
    return agree;
}

void outcomes_release(model_outcomes_t *outcomes)
{
    for (size_t i = 0; i < outcomes->n; i++)
        free(outcomes->at[i].stand);
    vec_release(outcomes);
}
