/*
 * looks -- images of ranks, which tell states apart: of whom they are taken, and of whom once more.
 */
#include "drive/inside.h"

#include "base/hash.h"

/* Whoever had a choice, or comes to one, unless the search does not want to know. */
static bool is_worth_image(const struct drive *drive, int animal, const struct checkpoint *there,
                           const struct segment *segment)
{
    if (segment->end != SEGMENT_CALL || drive->images.off || (there->ret && there->ret->blind))
        return false;
    if (there->ret && there->ret->hasty)
        return there->polls;
    return there->open || drive->follow.relevance || drive->images.image[animal];
}

/* What a segment has loaded and stored belongs to its node, so those that differ in it are not one. */
static void stir_touches(struct map_key *image, const struct local_touch *touched, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        hash_stir(image, touched[i].place);
        hash_stir(image, (uint64_t)touched[i].owner << 32 | touched[i].slot << 1 | touched[i].stores);
        hash_stir(image, touched[i].piece.at);
        hash_stir(image, touched[i].piece.bytes);
        hash_stir(image, touched[i].before);
    }
}

void drive_take_image(struct drive *drive, int animal, const struct checkpoint *there, struct segment *segment)
{
    if (!is_worth_image(drive, animal, there, segment))
        return;
    segment->imaged = images_take(&drive->images, &drive->herd, animal, &segment->image);
    stir_touches(&segment->image, drive->reading.touched.at, drive->reading.touched.n);
}

/* Whoever is nearest above is looked at first: its copy need not be read as a whole then. */
static void begin_images_above(struct drive *drive, node_id node)
{
    node_id above = node;
    while (above && !drive_has_animal(drive, above))
        above = parent_of(drive, above);
    if (above && !is_birth(drive, above) && drive_summon_animal(drive, above))
        images_begin(&drive->images, &drive->herd, checkpoint(drive, above)->animal);
}

bool drive_look_once_more(void *data, node_id node, struct map_key *image)
{
    struct drive *drive = data;
    if (drive->images.off || herd_is_over(&drive->herd))
        return false;
    if (is_keeper(drive, checkpoint(drive, node)->rank)) {
        *image = keeper_nodes_image(&drive->keepers, node);
        return true;
    }
    if (is_birth(drive, node))
        return false;
    begin_images_above(drive, node);
    vec_push(&drive->wishes, (struct wish){node, true});
    if (!drive_grant_wishes(drive) || !drive_summon_animal(drive, node))
        return false;
    if (!images_take(&drive->images, &drive->herd, checkpoint(drive, node)->animal, image))
        return false;
    stir_touches(image, checkpoint(drive, node)->touched, checkpoint(drive, node)->touches);
    return true;
}
