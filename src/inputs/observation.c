#include "inputs/observation.h"

#include <stdlib.h>

bool compared_is_sound(const struct compared *it)
{
    bool real = !it->is_real || it->bytes == 4 || it->bytes == 8;
    return real && (it->bytes == 1 || it->bytes == 2 || it->bytes == 4 || it->bytes == 8);
}

bool compared_text_is_sound(const struct compared_text *text)
{
    return text->bytes[0] <= COVERAGE_TEXT && text->bytes[1] <= COVERAGE_TEXT;
}

void observation_release(struct observation *seen)
{
    vec_release(&seen->features);
    vec_release(&seen->compared);
    vec_release(&seen->texts);
}

static int by_feature(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void observation_settle(struct observation *seen)
{
    size_t kept = 0;
    if (!seen->features.n)
        return;
    qsort(seen->features.at, seen->features.n, sizeof *seen->features.at, by_feature);
    for (size_t i = 0; i < seen->features.n; i++)
        if (!kept || seen->features.at[kept - 1] != seen->features.at[i])
            seen->features.at[kept++] = seen->features.at[i];
    seen->features.n = kept;
}
