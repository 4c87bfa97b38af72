/*
 * same_again -- whether ranks do the same if they are given the same answers.
 */
#include "drive/inside.h"

#include "base/bulk.h"
#include "base/clock.h"
#include "drive/foretold.h"
#include "drive/starts.h"

/* An animal has been given the answer that leads to a node; whether what it does has this shape.  The segment read last stays. */
static bool goes_alike(struct drive *drive, int animal, node_id node, uint64_t shape)
{
    struct reading reading = {0};
    struct segment segment = reading_take(&reading, &drive->herd, animal, node);
    bool same = segment_shape(&segment) == shape;
    if (!same)
        drive_note_difference(drive, node, &segment, &reading);
    reading_drop(&reading, &drive->herd);
    reading_release(&reading);
    return same;
}

int drive_copy_twin(struct drive *drive, node_id from)
{
    const struct checkpoint *here = checkpoint(drive, from);
    bool *twinned = &drive->twinned[here->rank];
    if (!here->open || *twinned)
        return -1;
    *twinned = true;
    return drive_copy_animal(drive, from);
}

bool drive_is_like_twin(struct drive *drive, int animal, int twin, node_id to, const struct segment *segment)
{
    struct foretold told = {0};
    bool same = !foretell(drive, twin, &to, 0, &told) || goes_alike(drive, twin, to, segment_shape(segment)) || herd_was_killed(&drive->herd, twin) ||
                herd_was_killed(&drive->herd, animal);
    drive_end_animal(drive, twin);
    foretold_release(drive, &told);
    return same;
}

/* Goes the way to a node once more, but for the first `done` steps; false: something else came of it. */
static bool goes_again(struct drive *drive, int animal, node_id to, size_t done)
{
    struct foretold told = {0};
    bool same = true;
    vec_clear(&drive->way);
    for (node_id node = to; node && !is_birth(drive, node); node = parent_of(drive, node)) {
        vec_push(&drive->way, node);
        bulk_pass();
    }
    for (size_t i = drive->way.n - done; same && i-- > 0;) {
        node_id node = drive->way.at[i];
        if (!told.left && !foretell(drive, animal, drive->way.at, i, &told))
            break;
        told.left--;
        bulk_pass();
        same = goes_alike(drive, animal, node, checkpoint(drive, node)->shape) || herd_was_killed(&drive->herd, animal);
    }
    drive_end_animal(drive, animal);
    foretold_release(drive, &told);
    return same || herd_is_over(&drive->herd);
}

static node_id first_node(const struct drive *drive, node_id node)
{
    while (!begins_process(drive, node))
        node = parent_of(drive, node);
    return node;
}

static bool calls_init(const struct segment *segment)
{
    const struct op *op = segment->ops;
    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op))
        if (op->kind == OP_INIT)
            return true;
    return false;
}

void drive_note_traces(struct drive *drive, int animal, node_id node, const struct segment *segment)
{
    struct checkpoint *there = checkpoint(drive, node);
    there->traces = herd_kernel_state(&drive->herd, animal).left_traces;
    bool early = there->traces == DOUBT_UNHEARD && begins_process(drive, node) && !calls_init(segment);
    if (!drive->once_more)
        note_doubt(&drive->doubts[there->rank].untried, early ? DOUBT_BEFORE : there->traces);
}

bool drive_is_steady(struct drive *drive, node_id node)
{
    rank_t rank = checkpoint(drive, node)->rank;
    if (drive->once_more || checkpoint(drive, node)->traces)
        return true; /* or it cannot be tried */
    struct steady_tries tries = steady_tries(&drive->steady, rank);
    node_id first = tries.copies ? first_node(drive, node) : NODE_NONE; /* a long way in a deep search */
    bool same = true, go_on = true;
    if (tries.starts)
        starts_before_proof(drive, rank);
    for (int i = 0, other; same && go_on && i < tries.copies; i++) {
        int64_t begun = microseconds();
        if (checkpoint(drive, first)->animal < 0 || (other = drive_copy_animal(drive, first)) < 0)
            break;
        same = goes_again(drive, other, node, 1);
        go_on = steady_spent(&drive->steady, microseconds() - begun);
    }
    for (int i = 0; same && i < tries.starts; i++) {
        int64_t begun = microseconds();
        same = goes_again(drive, drive_start_animal(drive, first), node, 0);
        steady_spent(&drive->steady, microseconds() - begun);
    }
    return same;
}

bool drive_prove_end(void *data, node_id node)
{
    return drive_is_steady(data, node);
}
