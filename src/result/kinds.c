#include "result/kinds.h"

#include <stddef.h>

#include "call/complaint.h"

/* And those of complaint.h. */
static const char *const kinds[] = {
    "abort", "assertion", "buffering-deadlock", "collective-comm",
    "collective-count", "collective-missing", "collective-operator", "collective-order",
    "collective-root", "collective-type", "crash", "deadlock",
    "divergence", "error", "exit-code", "hang",
    "insufficient-buffer",
    "livelock", "lost-message", "message-race", "mixed-synchronisation",
    "no-finalize", "ready-send", "type-mismatch", "unsupported-call",
};

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
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (pattern_fits(pattern, kinds[i]))
            return true;
    for (int i = 0; i < COMPLAINT_KINDS; i++)
        if (pattern_fits(pattern, complaint_name(i)))
            return true;
    return false;
}
