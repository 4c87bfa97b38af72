/*
 * invariants_tight -- what is owed to the run with little slack was decided in the run that it follows.
 */
#include "explore/invariants.h"
#include "explore/tight.h"

static bool is_late(const struct debt *debt, void *data)
{
    const struct tight *tight = data;

    return debt->turn >= tight->turns;
}

void tight_check_invariants(const struct tight *tight)
{
    debts_check_invariants(tight->owed);
    INVARIANT(!debts_any(tight->owed, is_late, (void *)tight), "a decision is owed that was not made yet");
    INVARIANT(!tight->state->tight, "the state with little slack has one with less slack beside it");
}
