#include "options/finding_policy.h"

#include <stdlib.h>

#include "base/die.h"
#include "options/text_file.h"

static void add_suppressions(struct policy *policy, const char *file)
{
    char *why, *text = text_file_read(file);
    if (policy_add_suppressions(policy, file, text, &why) < 0)
        die("%s", why);
    free(text);
}

struct policy finding_policy_of(const struct arguments *arguments)
{
    struct policy policy = {0};
    char *why;
    if (arguments->reductions != ARGUMENT_REDUCTIONS_PLAIN && policy_add_opinion(&policy, KIND_REDUCTION_ORDER "=note", &why) < 0)
        die("%s", why); /* who asks for it is told */
    for (size_t i = 0; i < arguments->opinions.n; i++)
        if (policy_add_opinion(&policy, arguments->opinions.at[i], &why) < 0)
            die("%s", why);
    for (size_t i = 0; i < arguments->suppressions.n; i++)
        add_suppressions(&policy, arguments->suppressions.at[i]);
    return policy;
}
