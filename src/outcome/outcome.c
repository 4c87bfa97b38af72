#include "outcome/outcome.h"

void outcome_release(struct outcome *outcome)
{
    free(outcome->text);
    vec_release(&outcome->stack);
    free(outcome->says[0]);
    free(outcome->says[1]);
}
