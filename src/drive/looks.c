#include "drive/looks.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "world/files.h"
#include "world/reader.h"

void looks_init(struct looks *looks)
{
    looks->begun = microseconds();
}

void looks_release(struct looks *looks)
{
    for (int i = 0; i < HERD_MAX; i++)
        looks_gone(looks, i);
}

void looks_copied(struct looks *looks, int original, int copy)
{
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

/* What a process will do next depends on its memory, and on what the kernel keeps for it. */
static int look(struct looks *looks, const struct herd *herd, int animal, const struct wire_sleep *sleep,
                const struct kernel_state *kernel, struct map_key *image)
{
    pid_t process = herd_process(herd, animal);
    struct map_key files;
    if (image_look(looks->image[animal], process, sleep, kernel->stacks_changed, image) < 0 ||
        files_sum(process, &files) < 0)
        return -1;
    hash_stir_key(image, files);
    hash_stir_key(image, kernel->history);
    return 0;
}

bool looks_take(struct looks *looks, struct herd *herd, int animal, struct map_key *image)
{
    int64_t begun = microseconds();
    const struct wire_sleep *sleep = looks->off ? NULL : reader_sleep(&herd->memory, animal);
    struct kernel_state kernel = herd_kernel_state(herd, animal);
    if (kernel.unknowable) {
        looks_gone(looks, animal);
        return false;
    }
    if (!looks->image[animal])
        looks->image[animal] = image_new();
    looks->off = !sleep || !pays(looks) || look(looks, herd, animal, sleep, &kernel, image) < 0;
    looks->spent += microseconds() - begun;
    looks->taken++;
    return !looks->off;
}
