/*
 * repair -- a state that was decided at one point alone is expanded again if what that rested on turns out to be false.
 */
#include "explore/search.h"

#include "base/log.h"

bool search_is_refuted(const struct explorer *x, const struct assumption *assumption)
{
    if (assumption->circle)
        return true;
    for (uint32_t i = 0; i < assumption->doubts; i++)
        if (doubt_is_refuted(&x->game.tree, &x->doubts.at[assumption->first + i]))
            return true;
    return false;
}

int search_repair(struct explorer *x, bool *any)
{
    *any = false;
    for (size_t i = 0; i < x->assumed.n;) {
        struct assumption assumption = x->assumed.at[i];
        struct state *state;

        if (!search_is_refuted(x, &assumption)) {
            i++;
            continue;
        }
        if (search_pauses_later_rounds(x) || search_is_over(x))
            return 0;
        x->assumed.at[i] = vec_pop(&x->assumed);
        state = search_reach(x, assumption.step);
        if (!state)
            return -1;
        x->result.again++;
        *any = true;
        LOG(explore, "state %u is expanded again: %s", assumption.step,
            assumption.circle ? "it is on a circle" : "a message came up that was assumed not to");
        search_expand(x, state, assumption.step, 0, assumption.circle ? EXPAND_WHOLE : EXPAND_AGAIN);
        if (search_to_end(x) < 0)
            return -1;
        if (x->game.learned)
            return 0;
    }
    return 0;
}
