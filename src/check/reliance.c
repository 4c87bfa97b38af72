#include "check/reliance.h"

static void keep_relied(struct reliance_kind *on, const struct relied *relied)
{
    for (size_t i = 0; i < on->relied.n; i++) {
        struct map_key key = on->relied.at[i].defect.key;
        if (map_key_is_same(key, relied->defect.key))
            return;
    }
    vec_push(&on->relied, *relied);
}

/* `user` is the operation that the run of this step depends on; 0: none. */
static void see(struct reliance_kind *on, const struct explorer *x, uint32_t step, uint32_t user, const char *sentence,
                const char *advice)
{
    struct relied relied = {
        .step = step,
        .defect = {.kind = KIND_PORTABILITY, .sentence = sentence, .advice = advice, .ops = 1}};
    on->refuted = on->refuted || user == 0;
    if (on->refuted)
        return;
    relied.defect.op[0].op = explore_op(x, user, &relied.defect.op[0].rank);
    relied.defect.key = defect_key(&relied.defect);
    keep_relied(on, &relied);
}

void reliances_see(struct reliances *reliances, struct explorer *x, const struct run *run)
{
    if (reliances->collectives.refuted && reliances->polls.refuted)
        return;
    struct reliance reliance = explore_reliance(x, run);
    see(&reliances->collectives, x, run->step, reliance.early,
        "the program goes wrong if this collective lets a rank go before all have come, which the standard allows",
        "synchronise by MPI_Barrier, or do not depend on who is first");
    see(&reliances->polls, x, run->step, reliance.refusal,
        "the program goes wrong if this call returns flag = 0 although it could return 1, which the standard allows",
        "ask again, or wait");
}

static void add_unrefuted(const struct reliance_kind *on, relied_t *all)
{
    for (size_t i = 0; i < on->relied.n && !on->refuted; i++)
        vec_push(all, on->relied.at[i]);
}

void reliances_add(const struct reliances *reliances, relied_t *all)
{
    add_unrefuted(&reliances->collectives, all);
    add_unrefuted(&reliances->polls, all);
}

void reliances_release(struct reliances *reliances)
{
    vec_release(&reliances->collectives.relied);
    vec_release(&reliances->polls.relied);
    *reliances = (struct reliances){0};
}
