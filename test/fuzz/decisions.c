/*
 * The decision file, as each of three ranks reads it: what was read can be looked at
 * without fear.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "shim/clock/decisions.h"

static void look(const struct forced_decision *decision)
{
    if (decision->kind > CHOICE_NO || (decision->kind == CHOICE_SET) != (decision->items > 0))
        abort();
    for (uint32_t i = 0; i < decision->items; i++)
        if (decision->item[i] < 0 || (i && decision->item[i] <= decision->item[i - 1]))
            abort();
}

void fuzz_one(const uint8_t *bytes, size_t size)
{
    const char *path = fuzz_file(bytes, size);
    for (rank_t r = 0; r < 3; r++) {
        struct decisions decisions;
        FILE *file = fopen(path, "re");
        if (!file)
            abort();
        if (!decisions_read(&decisions, file, r))
            for (uint64_t i = 0; i < decisions.n; i++)
                look(&decisions.at[i]);
        fclose(file);
        decisions_release(&decisions);
    }
}
