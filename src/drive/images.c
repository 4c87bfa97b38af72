#include "drive/images.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "world/files.h"
#include "world/maps.h"
#include "world/reader.h"

void images_release(struct images *images)
{
    for (int i = 0; i < HERD_MAX; i++)
        images_gone(images, i);
}

void images_answered(struct images *images, int animal)
{
    images->ran[animal] = true;
}

void images_begin(struct images *images, struct herd *herd, int animal)
{
    struct map_key image;
    if (!images->image[animal] && !images->off)
        images_take(images, herd, animal, &image);
}

/* One that comes to a known node once more is not looked at there, but must be if a copy stays (world/image.h). */
void images_before_copy(struct images *images, struct herd *herd, int animal)
{
    struct map_key image;
    if (images->image[animal] && images->ran[animal] && !images->off && !images_take(images, herd, animal, &image))
        images_gone(images, animal);
}

void images_copied(struct images *images, int original, int copy)
{
    images->ran[copy] = images->ran[original];
    images->image[copy] = images->image[original] ? image_copy(images->image[original]) : NULL;
    images->files[copy] = images->files[original];
    images->files[copy].reads = 0; /* the kernel counts anew for every process */
}

void images_gone(struct images *images, int animal)
{
    image_free(images->image[animal]);
    images->image[animal] = NULL;
    images->files[animal].known = false;
}

/* To ask for all files takes as long as the rest of a look: only if they can have changed. */
static int look_at_files(struct image_files *files, pid_t process, const struct kernel_state *kernel)
{
    uint64_t reads = 0;
    bool counted = files_count_reads(process, &reads) == 0;
    if (counted && files->known && files->reads == reads && files->heard == kernel->heard)
        return 0;
    *files = (struct image_files){.reads = reads, .heard = kernel->heard, .known = counted};
    return files_sum(process, &files->sum);
}

/* What a process will do next depends on its memory, and on what the kernel keeps for it. */
static int look_at_animal(struct images *images, const struct herd *herd, int animal, const struct wire_sleep *sleep,
                          const struct kernel_state *kernel, struct map_key *image)
{
    pid_t process = herd_process(herd, animal);
    struct image_files *files = &images->files[animal];
    struct map_key mappings = {0};
    if (image_look(images->image[animal], process, sleep, kernel->stacks_changed, image) < 0 ||
        look_at_files(files, process, kernel) < 0 || (kernel->mapped && maps_sum(process, &mappings) < 0))
        return -1;
    images->outside = files->sum;
    hash_stir_key(&images->outside, mappings);
    hash_stir_key(&images->outside, kernel->history);
    hash_stir_key(image, images->outside);
    return 0;
}

bool images_take(struct images *images, struct herd *herd, int animal, struct map_key *image)
{
    const struct wire_sleep *sleep = images->off ? NULL : reader_sleep(&herd->memory, animal);
    struct kernel_state kernel = herd_kernel_state(herd, animal);
    if (kernel.unknowable) {
        images_gone(images, animal);
        return false;
    }
    if (!images->image[animal])
        images->image[animal] = image_new();
    images->off = !sleep || look_at_animal(images, herd, animal, sleep, &kernel, image) < 0;
    images->failed |= images->off && sleep;
    images->ran[animal] = false;
    return !images->off;
}
