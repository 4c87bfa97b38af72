/*
 * showing -- a history before the eyes of a debugger: one process for each rank, which may be left in any call.
 */
#include "drive/inside.h"

#include "base/mem.h"
#include "drive/births.h"
#include "drive/starts.h"

void drive_show_begin(struct drive *drive)
{
    struct herd *herd = &drive->herd;
    starts_end(drive);
    for (int i = 0; i < HERD_MAX; i++)
        if (herd->animal[i].pid && !herd->animal[i].dying)
            drive_let_animal_go(drive, i);
    herd->options.mute = false;
    herd->memory.head->stepped = 1;
    drive->shown = xcalloc((size_t)herd->options.ranks, sizeof *drive->shown);
    for (rank_t r = 0; r < herd->options.ranks; r++)
        drive->shown[r] = -1;
}

bool drive_show(struct drive *drive, node_id node, uint32_t stop, struct segment *segment)
{
    const struct checkpoint *there = checkpoint(drive, node);
    int *animal = &drive->shown[there->rank];
    if (is_birth(drive, node)) {
        *segment = births_await(&drive->reading, &drive->herd.memory, node);
        return true;
    }
    if (begins_process(drive, node))
        *animal = drive_start_animal(drive, node);
    drive->reading.stop = stop;
    *segment = drive_run_to(drive, *animal, node);
    reading_drop(&drive->reading, &drive->herd);
    return segment_shape(segment) == there->shape;
}

pid_t drive_shown(const struct drive *drive, rank_t r)
{
    int animal = drive->shown[r];
    return animal < 0 || drive->herd.animal[animal].gone ? 0 : herd_process(&drive->herd, animal);
}
