/*
 * animals -- processes of ranks: where they sleep, how they are started, copied and let go, and what to do if somebody else kills one.
 */
#include "drive/inside.h"

#include "base/clock.h"
#include "base/log.h"
#include "drive/births.h"
#include "drive/starts.h"

void drive_settle_animal(struct drive *drive, int animal, node_id node)
{
    checkpoint(drive, node)->animal = animal;
    checkpoint(drive, node)->used = ++drive->clock;
    checkpoint(drive, node)->passing = false;
    drive->at[animal] = node;
}

/* Nodes to which an animal could have gone back have it no more. */
static void drop_savepoints(struct drive *drive, int animal)
{
    const struct savepoint_owner *owner = &drive->savepoints.of[animal];
    for (size_t i = 0; i < owner->at.n; i++) {
        struct checkpoint *there = checkpoint(drive, owner->at.at[i].node);
        if (there->animal == animal && drive->at[animal] != owner->at.at[i].node)
            there->animal = -1;
    }
    savepoints_end(&drive->savepoints, &drive->herd, animal);
}

int drive_find_waiting(const struct drive *drive, int base)
{
    for (size_t i = 0; i < drive->savepoints.owner.n; i++) {
        int animal = drive->savepoints.owner.at[i];
        if (drive->savepoints.of[animal].base == base && !drive->at[animal] && animal != drive->in_hand)
            return animal;
    }
    return -1;
}

void drive_end_animal(struct drive *drive, int animal)
{
    int waiting;
    images_gone(&drive->images, animal);
    drive->spoiled[drive->herd.animal[animal].rank] += savepoints_are_wanted(&drive->savepoints, animal);
    drop_savepoints(drive, animal);
    while ((waiting = drive_find_waiting(drive, animal)) >= 0)
        drive_end_animal(drive, waiting);
    savepoints_leave_base(&drive->savepoints, animal);
    herd_kill(&drive->herd, animal);
}

void drive_spoil_savepoints(struct drive *drive, int animal)
{
    LOG(drive, "animal %d cannot go back any more", animal);
    drive->spoiled[drive->herd.animal[animal].rank]++;
    drop_savepoints(drive, animal);
    if (!drive->at[animal])
        drive_end_animal(drive, animal);
}

void drive_let_animal_go(struct drive *drive, int animal)
{
    if (drive->at[animal])
        checkpoint(drive, drive->at[animal])->animal = -1;
    drive->at[animal] = NODE_NONE;
    drive_end_animal(drive, animal);
}

void drive_retire_animal(struct drive *drive, int animal)
{
    const struct savepoint_owner *owner = &drive->savepoints.of[animal];
    if (drive->at[animal])
        checkpoint(drive, drive->at[animal])->animal = -1;
    drive->at[animal] = NODE_NONE;
    if (!drive->herd.animal[animal].gone && savepoints_are_wanted(&drive->savepoints, animal))
        return;
    int base = owner->at.n && !savepoints_are_wanted(&drive->savepoints, animal) ? owner->base : -1;
    node_id node = base >= 0 ? owner->at.at[0].node : NODE_NONE;
    drive_end_animal(drive, animal);
    if (base >= 0 && drive->at[base] == node)
        drive_retire_animal(drive, base);
}

void drive_dismiss_animal(struct drive *drive, int animal, enum segment_end how)
{
    if (how == SEGMENT_EXIT || how == SEGMENT_ABORT || how == SEGMENT_ERROR)
        drive_retire_animal(drive, animal);
    else
        drive_end_animal(drive, animal);
}

static int most_animals(const struct drive *drive)
{
    int most = HERD_KEPT + 2 * drive->herd.options.ranks;
    return most < HERD_MAX - HERD_SPARE ? most : HERD_MAX - HERD_SPARE;
}

/*
 * Beyond that the least recently used go.  The first node of a rank is kept: everything can be reached from there.  So is
 * the one used right now.
 */
static void make_room_in_herd(struct drive *drive)
{
    while (drive->herd.alive >= most_animals(drive)) {
        int oldest = -1;
        for (int i = 0; i < HERD_MAX; i++) {
            node_id node = drive->at[i];
            if (!node || begins_process(drive, node) || checkpoint(drive, node)->used == drive->clock)
                continue;
            if (oldest < 0 || checkpoint(drive, node)->used < checkpoint(drive, drive->at[oldest])->used)
                oldest = i;
        }
        if (oldest < 0)
            return;
        drive_let_animal_go(drive, oldest);
    }
}

int drive_start_animal(struct drive *drive, node_id node)
{
    rank_t rank = checkpoint(drive, node)->rank;
    struct birth_place birth;
    make_room_in_herd(drive);
    drive->cost.starts++;
    bool born = births_find(&drive->checkpoints, node, &birth);
    int animal = born ? herd_start(&drive->herd, rank, &birth) : starts_take(drive, rank);
    drive_show_files(drive, animal, node);
    LOG(drive, "rank %d is started, as animal %d", rank, animal);
    drive->at[animal] = NODE_NONE;
    drive->is_copy[animal] = false;
    drive->descent[animal] = (struct descent){0};
    return animal;
}

/* What is in the way of a copy is not part of its image either: it would be taken for what it is not. */
static void note_uncopied(struct drive *drive, rank_t rank, enum obstacle why)
{
    if (!drive->uncopied[rank])
        drive->uncopied[rank] = why;
    drive->stopped_merging |= !drive->images.off;
    drive->images.off = true;
}

void drive_return_now(struct drive *drive, int animal)
{
    struct savepoint_order order = savepoints_order(&drive->savepoints, animal);
    if (!order.back)
        return;
    herd_answer(&drive->herd, animal, (struct answer){.kind = ANSWER_STAY, .order = order}, NULL, 0);
    reader_sleep(&drive->herd.memory, animal);
}

/* Of what a copy took, the part that is lost goes up with how often its original was copied. */
static void note_descent(struct drive *drive, int original, int copy, int64_t took)
{
    struct descent *from = &drive->descent[original];
    drive->copying += (took - drive->copying) / 8;
    if (from->copies > FEW_COPIES)
        from->lost += took - took * FEW_COPIES / from->copies;
    drive->descent[copy] = *from;
    drive->descent[copy].copies++;
    drive->descent[copy].left = false;
}

/*
 * By then as much was lost as it takes to come there once more, from the start, without being a copy of copies.  Not if the program runs for long: that
 * takes longer than all that is lost.
 */
static bool is_worn_out(const struct drive *drive, node_id node)
{
    const struct checkpoint *here = checkpoint(drive, node);
    if (here->animal < 0 || drive->at[here->animal] != node || begins_process(drive, node))
        return false;
    return drive->descent[here->animal].copies > FEW_COPIES && drive->descent[here->animal].lost > drive->descent[here->animal].run;
}

void drive_renew_animal(struct drive *drive, node_id node)
{
    if (!is_worn_out(drive, node))
        return;
    LOG(drive, "rank %d is to come to node %u anew, and not by copies of copies", checkpoint(drive, node)->rank, node);
    for (; node && !begins_process(drive, node); node = parent_of(drive, node)) {
        int animal = checkpoint(drive, node)->animal;
        if (animal >= 0 && drive->at[animal] == node && drive->descent[animal].copies > FEW_COPIES)
            drive_let_animal_go(drive, animal);
    }
}

int drive_copy_animal_here(struct drive *drive, node_id node, bool returns)
{
    checkpoint(drive, node)->used = ++drive->clock;
    make_room_in_herd(drive);
    enum obstacle why;
    int original = checkpoint(drive, node)->animal;
    drive_return_now(drive, original);
    if (!savepoints_before_copy(&drive->savepoints, &drive->herd, original))
        drive_spoil_savepoints(drive, original);
    images_before_copy(&drive->images, &drive->herd, checkpoint(drive, node)->animal);
    int64_t begun = microseconds();
    int animal = herd_copy(&drive->herd, checkpoint(drive, node)->animal, returns, &why);
    LOG(drive, "rank %d is copied at node %u: animal %d%s", checkpoint(drive, node)->rank, node, animal,
        why ? "; it cannot be copied any more" : "");
    if (why)
        note_uncopied(drive, checkpoint(drive, node)->rank, why);
    if (animal < 0)
        return -1;
    images_copied(&drive->images, checkpoint(drive, node)->animal, animal);
    drive->cost.copies++;
    drive->at[animal] = NODE_NONE;
    drive->is_copy[animal] = true;
    note_descent(drive, original, animal, microseconds() - begun);
    return animal;
}

/* No process has savepoints any more, nor what it takes. */
static void leave_savepoints(struct drive *drive)
{
    LOG(drive, "there are no savepoints any more");
    drive->no_savepoints = true;
    for (int i = 0; i < HERD_MAX; i++)
        if (drive->herd.animal[i].pid && drive->herd.animal[i].trapped && !drive->herd.animal[i].dying &&
            !drive->herd.animal[i].gone)
            drive_let_animal_go(drive, i);
}

bool drive_is_killed(struct drive *drive, int animal)
{
    bool killed = herd_was_killed(&drive->herd, animal);
    if (herd_was_trapped(&drive->herd, animal)) {
        leave_savepoints(drive);
        return true;
    }
    drive->kills = killed ? drive->kills + 1 : 0;
    return killed;
}

bool drive_has_patience(struct drive *drive, rank_t rank)
{
    if (drive->kills < MOST_KILLS)
        return true;
    drive->killed = rank;
    return false;
}
