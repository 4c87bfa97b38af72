#include "drive/looks.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "world/files.h"
#include "world/reader.h"

void looks_init(struct looks *looks, int ranks)
{
    looks->noise = xcalloc(ranks, sizeof *looks->noise);
    looks->twinned = xcalloc(ranks, sizeof *looks->twinned);
    looks->begun = microseconds();
}

void looks_release(struct looks *looks)
{
    for (int i = 0; i < HERD_MAX; i++)
        looks_gone(looks, i);
    free(looks->noise);
    free(looks->twinned);
}

void looks_answered(struct looks *looks, int animal)
{
    looks->ran[animal] = true;
}

/* One that comes to a known node once more is not looked at there, but must be if a copy stays (world/image.h). */
void looks_before_copy(struct looks *looks, struct herd *herd, int animal)
{
    struct map_key image;
    if (looks->image[animal] && looks->ran[animal] && !looks->off && !looks_take(looks, herd, animal, &image))
        looks_gone(looks, animal);
}

void looks_copied(struct looks *looks, int original, int copy)
{
    looks->ran[copy] = looks->ran[original];
    looks->image[copy] = looks->image[original] ? image_copy(looks->image[original]) : NULL;
}

void looks_gone(struct looks *looks, int animal)
{
    image_free(looks->image[animal]);
    looks->image[animal] = NULL;
}

static bool pays(const struct looks *looks)
{
    enum { ENOUGH = 200, SELDOM = 50, MUCH = 4 };
    int64_t all = microseconds() - looks->begun;
    return looks->taken < ENOUGH || looks->merged > looks->taken / SELDOM || looks->spent < all / MUCH;
}

/* What a process will do next depends on its memory, and on where in its files it is. */
static int look(struct looks *looks, const struct herd *herd, int animal, const struct wire_sleep *sleep,
                struct map_key *image)
{
    pid_t process = herd_process(herd, animal);
    struct map_key files;
    if (image_look(looks->image[animal], process, sleep, &looks->noise[herd->animal[animal].rank], image) < 0 ||
        files_sum(process, &files) < 0)
        return -1;
    hash_stir_key(image, files);
    return 0;
}

bool looks_take(struct looks *looks, struct herd *herd, int animal, struct map_key *image)
{
    int64_t begun = microseconds();
    const struct wire_sleep *sleep = looks->off ? NULL : reader_sleep(&herd->memory, animal);
    if (!looks->image[animal])
        looks->image[animal] = image_new();
    looks->off = !sleep || !pays(looks) || look(looks, herd, animal, sleep, image) < 0;
    looks->ran[animal] = false;
    looks->spent += microseconds() - begun;
    looks->taken++;
    return !looks->off;
}

bool looks_compare(struct looks *looks, struct herd *herd, int animal, int twin)
{
    struct map_key one, other;
    if (!looks_take(looks, herd, animal, &one) || !looks_take(looks, herd, twin, &other))
        return false;
    if (one.high == other.high && one.low == other.low)
        return true;
    looks->off = image_noise_learn(&looks->noise[herd->animal[animal].rank], looks->image[animal],
                                   herd_process(herd, animal), looks->image[twin], herd_process(herd, twin)) < 0;
    looks_gone(looks, animal); /* what it was looked at with the noise is not to be gone on from */
    return !looks->off;
}
