#include "command/judging.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"

void judging_add_opinion(struct judging *judging, const char *text)
{
    char *why;
    if (policy_add_opinion(&judging->policy, text, &why) < 0)
        die("%s", why);
}

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

void judging_add_suppressions(struct judging *judging, const char *file)
{
    char *why, *text = judging_read(file);
    if (policy_add_suppressions(&judging->policy, file, text, &why) < 0)
        die("%s", why);
    free(text);
}

bool judging_goes_further(const struct judging *judging)
{
    return judging->policy.suppressions.n || judging->gen_suppressions || judging->error_exitcode ||
           judging->each_args;
}

bool judging_is_asked_for(const struct judging *judging)
{
    return judging->policy.opinions.n || judging_goes_further(judging);
}
