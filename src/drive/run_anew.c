/*
 * run_anew -- a history from its start on, in a process that is no copy.
 */
#include "drive/inside.h"

/* The nodes of a history, the last one first. */
static void find_path(struct drive *drive, node_id node)
{
    vec_clear(&drive->path);
    for (; node != NODE_NONE && !is_birth(drive, node); node = parent_of(drive, node))
        vec_push(&drive->path, node);
}

/* All that the answers on the path hand over is there. */
static bool prepare_path(struct drive *drive)
{
    for (size_t i = 0; i < drive->path.n; i++)
        drive_wish_for_payloads(drive, drive->path.at[i]);
    return drive_grant_wishes(drive);
}

/* That a rank hangs was seen before: it need not be waited for as long. */
static bool is_same_anew(struct drive *drive, node_id node, const struct segment *segment)
{
    struct segment as_before = *segment;
    if (segment->end == SEGMENT_HUNG)
        as_before.code = checkpoint(drive, node)->code;
    return drive_is_same_but_for_noise(drive, node, &as_before, &drive->reading);
}

static bool run_path(struct drive *drive, int animal)
{
    bool same = true;
    for (size_t i = drive->path.n; i-- > 0 && same;) {
        let_cool(drive);
        struct segment segment = drive_run_to(drive, animal, drive->path.at[i]);
        same = is_same_anew(drive, drive->path.at[i], &segment);
        if (!same && !herd_is_over(&drive->herd))
            drive_note_difference(drive, drive->path.at[i], &segment, &drive->reading);
        reading_drop(&drive->reading, &drive->herd);
    }
    return same;
}

enum anew drive_run_anew(struct drive *drive, node_id node)
{
    enum { PATIENCE = 5 }; /* seconds */
    int *timeout = &drive->herd.options.hang_timeout, before = *timeout;
    find_path(drive, node);
    bool same = prepare_path(drive), killed = false;
    if (same && drive->path.n && !herd_is_over(&drive->herd)) {
        int animal = drive_start_animal(drive, vec_last(&drive->path));
        *timeout = before > PATIENCE ? PATIENCE : before;
        same = run_path(drive, animal);
        *timeout = before;
        killed = !same && herd_was_killed(&drive->herd, animal);
        drive_end_animal(drive, animal);
    }
    if (herd_is_over(&drive->herd) || killed)
        return ANEW_UNKNOWN;
    return same ? ANEW_SAME : ANEW_OTHERWISE;
}

bool drive_is_of_copies(const struct drive *drive, node_id node)
{
    for (; node != NODE_NONE; node = parent_of(drive, node))
        if (checkpoint(drive, node)->by_copy)
            return true;
    return false;
}
