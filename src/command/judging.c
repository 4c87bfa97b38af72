#include "command/judging.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"

char *judging_read(const char *file)
{
    FILE *in = fopen(file, "r");
    char *text = NULL;
    size_t size = 0;
    if (!in)
        die("%s: %s", file, strerror(errno));
    ssize_t length = getdelim(&text, &size, 0, in);
    bool failed = length < 0 && ferror(in), is_text = length < 0 || feof(in) || fgetc(in) == EOF;
    int error = errno;
    fclose(in);
    if (failed)
        die("%s: %s", file, strerror(error));
    if (!is_text)
        die("%s is not text", file);
    if (length < 0)
        text[0] = 0;
    return text;
}

static void add_suppressions(struct policy *policy, const char *file)
{
    char *why, *text = judging_read(file);
    if (policy_add_suppressions(policy, file, text, &why) < 0)
        die("%s", why);
    free(text);
}

struct policy judging_policy(const struct said *said)
{
    struct policy policy = {0};
    char *why;
    for (size_t i = 0; i < said->opinions.n; i++)
        if (policy_add_opinion(&policy, said->opinions.at[i], &why) < 0)
            die("%s", why);
    for (size_t i = 0; i < said->suppressions.n; i++)
        add_suppressions(&policy, said->suppressions.at[i]);
    return policy;
}
