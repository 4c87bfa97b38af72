#include "verification/flaws.h"

#include <stdlib.h>

#include "base/hash.h"

static int by_finding_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

enum visit flaws_opinion(struct flaws *flaws, uint32_t *finding, size_t n)
{
    struct map_key sum = HASH_START;
    uint32_t which;
    flaws->none = flaws->none || n == 0;
    if (n == 0)
        return VISIT_GOOD;
    qsort(finding, n, sizeof *finding, by_finding_number);
    for (size_t i = 0; i < n; i++)
        hash_stir(&sum, finding[i]);
    if (!map_get(&flaws->known, sum, &which)) {
        struct flaw_set set = {0};
        for (size_t i = 0; i < n; i++)
            vec_push(&set.finding, finding[i]);
        which = (uint32_t)flaws->set.n;
        vec_push(&flaws->set, set);
        map_put(&flaws->known, sum, which);
    }
    return VISIT_FLAWED + which;
}

static bool has_flaw(const struct flaw_set *set, uint32_t finding)
{
    for (size_t i = 0; i < set->finding.n; i++)
        if (set->finding.at[i] == finding)
            return true;
    return false;
}

void flaws_aim(const struct flaws *flaws, struct explorer *explorer, uint32_t finding)
{
    if (flaws->none)
        return;
    size_t opinions = VISIT_FLAWED + flaws->set.n;
    bool *good = xcalloc(opinions, sizeof *good);
    for (size_t i = 0; i < flaws->set.n; i++)
        good[VISIT_FLAWED + i] = !has_flaw(&flaws->set.at[i], finding);
    explore_aim_at(explorer, good, opinions);
    free(good);
}

void flaws_release(struct flaws *flaws)
{
    for (size_t i = 0; i < flaws->set.n; i++)
        vec_release(&flaws->set.at[i].finding);
    vec_release(&flaws->set);
    map_release(&flaws->known);
    *flaws = (struct flaws){0};
}
