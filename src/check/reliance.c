#include "check/reliance.h"

static void keep_defect(struct reliance_kind *on, const struct defect *defect)
{
    for (size_t i = 0; i < on->defects.n; i++) {
        struct map_key key = on->defects.at[i].key;
        if (map_key_is_same(key, defect->key))
            return;
    }
    vec_push(&on->defects, *defect);
}

/* `user` is the operation that it depends on; 0: none. */
static void see(struct reliance_kind *on, const struct explorer *x, uint32_t user, const char *sentence, const char *advice)
{
    struct defect defect = {
        .kind = KIND_PORTABILITY, .sentence = sentence, .advice = advice, .ops = 1};
    on->refuted = on->refuted || user == 0;
    if (on->refuted)
        return;
    defect.op[0].op = explore_op(x, user, &defect.op[0].rank);
    defect.key = defect_key(&defect);
    keep_defect(on, &defect);
}

void reliances_see(struct reliances *reliances, struct explorer *x, const struct run *run)
{
    if (reliances->collectives.refuted && reliances->polls.refuted)
        return;
    struct reliance reliance = explore_reliance(x, run);
    see(&reliances->collectives, x, reliance.early,
        "the program goes wrong if this collective lets a rank go before all have come, which the standard allows",
        "synchronise by MPI_Barrier, or do not depend on who is first");
    see(&reliances->polls, x, reliance.refusal,
        "the program goes wrong if this call returns flag = 0 although it could return 1, which the standard allows",
        "ask again, or wait");
}

static void add_unrefuted(const struct reliance_kind *on, defects_t *defects)
{
    for (size_t i = 0; i < on->defects.n && !on->refuted; i++)
        vec_push(defects, on->defects.at[i]);
}

void reliances_add(const struct reliances *reliances, defects_t *defects)
{
    add_unrefuted(&reliances->collectives, defects);
    add_unrefuted(&reliances->polls, defects);
}

void reliances_release(struct reliances *reliances)
{
    vec_release(&reliances->collectives.defects);
    vec_release(&reliances->polls.defects);
    *reliances = (struct reliances){0};
}
