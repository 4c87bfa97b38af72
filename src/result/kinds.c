#include "result/kinds.h"

#include <string.h>

#include "base/die.h"

bool pattern_fits(const char *pattern, const char *text)
{
    const char *star = NULL, *again = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            again = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++again;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

bool kind_exists(const char *pattern)
{
    for (const struct finding_kind *kind = finding_kinds; kind->name; kind++)
        if (pattern_fits(pattern, kind->name))
            return true;
    return false;
}

const struct finding_kind *kind_find(const char *name)
{
    for (const struct finding_kind *kind = finding_kinds; kind->name; kind++)
        if (strcmp(kind->name, name) == 0)
            return kind;
    return NULL;
}

const char *kind_severity(const char *name)
{
    const struct finding_kind *kind = kind_find(name);
    if (!kind)
        BUG("no finding is called '%s'", name);
    return kind->severity;
}
