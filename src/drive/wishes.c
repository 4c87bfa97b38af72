/*
 * wishes -- nodes that are known are reached once more: somebody shall sleep there, or the payloads that they bring shall be there.
 */
#include "drive/inside.h"

#include "base/die.h"
#include "base/log.h"

struct segment drive_run_keeper(struct drive *drive, node_id node)
{
    return keeper_nodes_run(&drive->keepers, &drive->checkpoints, &drive->herd.memory, drive->herd.options.ranks, node,
                       &drive->reading);
}

/* What it brings is taken in, if it was not there. */
static bool run_node_again(struct drive *drive, int animal, node_id node, enum segment_end *end)
{
    struct checkpoint *there = checkpoint(drive, node);
    let_cool(drive);
    struct segment segment = drive_run_to(drive, animal, node);
    bool same = drive_is_same_but_for_noise(drive, node, &segment, &drive->reading);
    drive->cost.again++;
    LOG(drive, "rank %d is run again to node %u%s", there->rank, node, same ? "" : ", and does something else");
    if (!same)
        drive_note_difference(drive, node, &segment, &drive->reading);
    if (same && checkpoint_lacks_payloads(there))
        checkpoint_keep(&drive->checkpoints, there, &drive->reading);
    else
        reading_drop(&drive->reading, &drive->herd);
    *end = segment.end;
    return same;
}

/*
 * Whether to come to a node again from where somebody stays takes longer than a copy.  Segments of programs that poll often take ten microseconds, a copy takes
 * as many as fifty of them: one at every poll of a long run would be most of what is done, and the next hundred drive it out.
 */
static bool is_far_away(const struct drive *drive, node_id node)
{
    return drive_can_have_savepoints(drive, node) || drive->descent[checkpoint(drive, node)->animal].away >= drive->copying;
}

/*
 * Who merely passes a node need not leave a copy there.  But the search comes back
 * step by step: so on a long way copies stay at the distances 1, 2, 4, ... from its
 * end, where other answers may be asked for, if that pays; and far from the end wherever that is, for what is asked for next may be
 * any node in front of it.
 */
static bool should_stay(const struct drive *drive, node_id node, size_t distance)
{
    enum { FAR = 64 };
    const struct checkpoint *here = checkpoint(drive, node);
    bool forks = here->open || here->answers > 1 || distance >= FAR;
    if (begins_process(drive, node))
        return true;
    return (!here->passing || (forks && (distance & (distance - 1)) == 0)) && is_far_away(drive, node);
}

/* What a keeper does is no more than its messages, so it is not compared. */
static void keep_again(struct drive *drive, node_id node)
{
    drive_run_keeper(drive, node);
    if (checkpoint_lacks_payloads(checkpoint(drive, node)))
        checkpoint_keep(&drive->checkpoints, checkpoint(drive, node), &drive->reading);
    else
        reading_drop(&drive->reading, &drive->herd);
}

/* Goes on from the node's parent, where somebody sleeps, unless it turns out to be lost; false: the rank does something else now. */
static bool go_again(struct drive *drive, struct wish wish)
{
    if (is_keeper(drive, checkpoint(drive, wish.node)->rank)) {
        keep_again(drive, wish.node);
        return true;
    }
    node_id parent = checkpoint(drive, wish.node)->parent;
    enum segment_end how;
    bool first = begins_process(drive, wish.node);
    if (!first && !drive_visit_node(drive, parent))
        return true; /* it is wished for again */
    int animal = first ? drive_start_animal(drive, wish.node)
                       : drive_depart(drive, parent, should_stay(drive, parent, drive->wishes.n), (struct how_to_depart){0});
    bool same = run_node_again(drive, animal, wish.node, &how);
    if (!same && drive_is_killed(drive, animal)) {
        drive_end_animal(drive, animal);
        return drive_has_patience(drive, checkpoint(drive, wish.node)->rank);
    }
    if (!same || how != SEGMENT_CALL) {
        drive_dismiss_animal(drive, animal, how);
    } else {
        drive_settle_animal(drive, animal, wish.node);
        checkpoint(drive, wish.node)->passing = !wish.process || drive->wishes.n > 1;
    }
    if (same && wish.process && how != SEGMENT_CALL)
        BUG("nobody can sleep where rank %d has ended", checkpoint(drive, wish.node)->rank);
    return same;
}

static void wish_for(void *data, uint64_t payload)
{
    struct drive *drive = data;
    node_id node = payload_node(payload);
    if (checkpoint_lacks_payloads(checkpoint(drive, node)))
        vec_push(&drive->wishes, (struct wish){node, false});
}

bool drive_wish_for_payloads(struct drive *drive, node_id node)
{
    size_t before = drive->wishes.n;
    if (checkpoint(drive, node)->ret)
        answer_needs(checkpoint(drive, node)->ret, wish_for, drive);
    return drive->wishes.n > before;
}

static void notice_lack(void *data, uint64_t payload)
{
    struct drive *drive = data;
    drive->lacks = drive->lacks || checkpoint_lacks_payloads(checkpoint(drive, payload_node(payload)));
}

bool drive_lacks_for(struct drive *drive, const struct ret *ret)
{
    drive->lacks = false;
    if (ret)
        answer_needs(ret, notice_lack, drive);
    return drive->lacks;
}

bool drive_has_animal(struct drive *drive, node_id node)
{
    if (is_keeper(drive, checkpoint(drive, node)->rank))
        return keeper_nodes_have(&drive->keepers, node);
    if (is_birth(drive, node))
        return true; /* it needs none */
    int animal = checkpoint(drive, node)->animal;
    if (animal >= 0 && herd_is_gone(&drive->herd, animal))
        drive_let_animal_go(drive, animal);
    else if (animal >= 0 && drive->at[animal] != node &&
             !savepoints_can_return(&drive->savepoints, &drive->herd, animal))
        drive_spoil_savepoints(drive, animal);
    return checkpoint(drive, node)->animal >= 0;
}

static bool is_granted(struct drive *drive, struct wish wish)
{
    return wish.process ? drive_has_animal(drive, wish.node) : !checkpoint_lacks_payloads(checkpoint(drive, wish.node));
}

bool drive_grant_wishes(struct drive *drive)
{
    while (drive->wishes.n) {
        struct wish wish = vec_last(&drive->wishes);
        node_id parent = checkpoint(drive, wish.node)->parent;
        if (is_granted(drive, wish)) {
            drive->wishes.n--;
        } else if (drive_wish_for_payloads(drive, wish.node)) {
            continue;
        } else if (parent && !drive_has_animal(drive, parent)) {
            vec_push(&drive->wishes, (struct wish){parent, true});
        } else if (!go_again(drive, wish)) {
            vec_clear(&drive->wishes);
            return false;
        }
    }
    return true;
}

bool drive_prepare_answer(struct drive *drive, node_id from, node_id to)
{
    vec_push(&drive->wishes, (struct wish){from, true});
    drive_wish_for_payloads(drive, to);
    return drive_grant_wishes(drive);
}

bool drive_prepare_departure(struct drive *drive, node_id from, node_id to)
{
    drive_renew_animal(drive, from);
    do {
        if (!drive_prepare_answer(drive, from, to))
            return false;
    } while (!drive_visit_node(drive, from));
    return true;
}

bool drive_summon_animal(struct drive *drive, node_id node)
{
    if (!drive_visit_node(drive, node))
        return false;
    drive_return_now(drive, checkpoint(drive, node)->animal);
    return true;
}
