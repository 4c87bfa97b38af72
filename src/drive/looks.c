#include "drive/looks.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "world/files.h"
#include "world/maps.h"
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
    looks->files[copy] = looks->files[original];
    looks->files[copy].reads = 0; /* the kernel counts anew for every process */
}

void looks_gone(struct looks *looks, int animal)
{
    image_free(looks->image[animal]);
    looks->image[animal] = NULL;
    looks->files[animal].known = false;
}

static bool pays(const struct looks *looks)
{
    enum { ENOUGH = 200, SELDOM = 50, MUCH = 4 };
    int64_t all = microseconds() - looks->begun;
    return looks->taken < ENOUGH || looks->merged > looks->taken / SELDOM || looks->spent < all / MUCH;
}

/* To ask for all files takes as long as the rest of a look: only if they can have changed. */
static int look_at_files(struct looks_files *files, pid_t process, const struct kernel_state *kernel)
{
    uint64_t reads = 0;
    bool counted = files_count_reads(process, &reads) == 0;
    if (counted && files->known && files->reads == reads && files->heard == kernel->heard)
        return 0;
    *files = (struct looks_files){.reads = reads, .heard = kernel->heard, .known = counted};
    return files_sum(process, &files->sum);
}

/* What a process will do next depends on its memory, and on what the kernel keeps for it. */
static int look(struct looks *looks, const struct herd *herd, int animal, const struct wire_sleep *sleep,
                const struct kernel_state *kernel, struct map_key *image)
{
    pid_t process = herd_process(herd, animal);
    struct looks_files *files = &looks->files[animal];
    struct map_key mappings = {0};
    if (image_look(looks->image[animal], process, sleep, kernel->stacks_changed, image) < 0 ||
        look_at_files(files, process, kernel) < 0 || (kernel->mapped && maps_sum(process, &mappings) < 0))
        return -1;
    hash_stir_key(image, files->sum);
    hash_stir_key(image, mappings);
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
    looks->ran[animal] = false;
    looks->spent += microseconds() - begun;
    looks->taken++;
    return !looks->off;
}
