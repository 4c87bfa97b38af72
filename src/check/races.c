#include "check/races.h"

#include <stdio.h>

struct adding {
    const struct explorer *explorer;
    bool benign;
    defects_t *defects;
};

static void add_harmless(const struct adding *adding, const struct race *race)
{
    struct defect defect = {.kind = KIND_MESSAGE_RACE,
                            .severity = "note",
                            .sentence = "which message a wildcard matches is open, and changes no call",
                            .advice = "nothing, if the order of the messages does not matter to what is computed",
                            .ops = 1};
    defect.op[0].op = explore_op(adding->explorer, race->recv, &defect.op[0].rank);
    defect.key = defect_key(&defect);
    vec_push(adding->defects, defect);
}

static void add_race_defect(void *data, const struct race *race)
{
    const struct adding *adding = data;
    struct defect defect = {.kind = KIND_MESSAGE_RACE,
                            .severity = "warning",
                            .sentence = "the program's behaviour depends on which message a wildcard matches",
                            .advice = "name the source, or see that the program is right in each case",
                            .ops = 2};
    if (!race->changes) {
        if (adding->benign)
            add_harmless(adding, race);
        return;
    }
    defect.op[0].op = explore_op(adding->explorer, race->recv, &defect.op[0].rank);
    defect.op[1].op = explore_op(adding->explorer, race->only, &defect.op[1].rank);
    snprintf(defect.how, sizeof defect.how, "the second is called only after the message from rank %d, not from rank %d",
             race->with, race->without);
    defect.key = defect_key(&defect);
    vec_push(adding->defects, defect);
}

void races_add(const struct explorer *x, bool benign, defects_t *defects)
{
    struct adding adding = {x, benign, defects};
    explore_races(x, add_race_defect, &adding);
}
