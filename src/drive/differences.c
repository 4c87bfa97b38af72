/*
 * differences -- what a rank did otherwise when it was run again.
 */
#include "drive/inside.h"

#include <string.h>

/* Where two messages of the same length differ; false: nowhere. */
static bool find_differing(const uint8_t *then, const uint8_t *now, uint64_t bytes, struct differing_bytes *found)
{
    uint64_t at = 0;
    while (at < bytes && then[at] == now[at])
        at++;
    if (at == bytes)
        return false;
    found->at = at / sizeof found->then * sizeof found->then;
    found->of = bytes;
    found->count = bytes - found->at < sizeof found->then ? (uint32_t)(bytes - found->at) : sizeof found->then;
    memcpy(found->then, then + found->at, found->count);
    memcpy(found->now, now + found->at, found->count);
    return true;
}

/* Messages come in the order of the operations that brought them, which is the same as long as the operations are. */
static struct differing_bytes first_differing_bytes(struct drive *drive, const struct checkpoint *there, const struct reading *now)
{
    struct differing_bytes found = {0};
    const struct memory *memory = &drive->herd.memory;
    for (size_t i = 0; there->payload && i < there->brings && i < now->payload.n; i++) {
        uint64_t bytes = there->payload[i].block.bytes;
        if (bytes != now->payload.at[i].bytes)
            break;
        uint64_t then = payloads_offset(&drive->checkpoints.payloads, &there->payload[i]);
        if (find_differing(arena_at(memory, then), arena_at(memory, now->payload.at[i].at), bytes, &found))
            break;
    }
    return found;
}

/* Before what was read is dropped. */
static struct drive_difference difference_to(struct drive *drive, node_id node, const struct segment *segment, const struct reading *now)
{
    const struct checkpoint *there = checkpoint(drive, node);
    struct drive_difference difference = {.node = node, .rank = there->rank, .segment = *segment};
    if (segment_shape(segment) == there->shape)
        difference.bytes = first_differing_bytes(drive, there, now);
    return difference;
}

void drive_note_difference(struct drive *drive, node_id node, const struct segment *segment, const struct reading *now)
{
    drive->difference = difference_to(drive, node, segment, now);
    drive->diverged = drive->difference.rank;
    segment_keep(&drive->differing, &drive->difference.segment);
}

bool drive_is_same_but_for_noise(struct drive *drive, node_id node, const struct segment *segment, const struct reading *now)
{
    const struct checkpoint *there = checkpoint(drive, node);
    if (segment_sum(segment) == there->sum)
        return true;
    if (segment_shape(segment) != there->shape || checkpoint_lacks_payloads(there))
        return false;
    if (!drive->noise.node) {
        drive->noise = difference_to(drive, node, segment, now);
        segment_keep(&drive->noisy, &drive->noise.segment);
    }
    return true;
}

void drive_note_other_beginning(struct drive *drive, const struct segment *first)
{
    drive->difference.first = *first;
    segment_keep(&drive->first, &drive->difference.first);
}

const struct drive_difference *drive_difference(const struct drive *drive)
{
    return &drive->difference;
}

const struct drive_difference *drive_noise(const struct drive *drive)
{
    return &drive->noise;
}
