/*
 * departures -- who goes on from a node where a process sleeps: itself, a copy, or one that goes back there; and with which answer.
 */
#include "drive/inside.h"

#include "base/clock.h"
#include "base/die.h"

/* With its next answer an animal goes back to a savepoint, and later ones are no more. */
static void return_to(struct drive *drive, int animal, const struct savepoint *to)
{
    const struct savepoint_owner *owner = &drive->savepoints.of[animal];
    for (const struct savepoint *later = to + 1; later < owner->at.at + owner->at.n; later++)
        if (checkpoint(drive, later->node)->animal == animal)
            checkpoint(drive, later->node)->animal = -1;
    savepoints_return(&drive->savepoints, &drive->herd, animal, to);
    savepoints_leave_base(&drive->savepoints, animal);
    images_answered(&drive->images, animal);
}

bool drive_visit_node(struct drive *drive, node_id node)
{
    int animal = checkpoint(drive, node)->animal, other;
    node_id here = drive->at[animal];
    if (here == node)
        return true;
    if (here) {
        other = drive_copy_animal_here(drive, here, false);
        if (checkpoint(drive, node)->animal != animal) {
            if (other >= 0)
                drive_end_animal(drive, other);
            return false;
        }
        checkpoint(drive, here)->animal = other;
        drive->at[animal] = NODE_NONE;
        if (other >= 0)
            drive->at[other] = here;
    }
    const struct savepoint *to = savepoints_find(&drive->savepoints, animal, node);
    if (!to)
        BUG("animal %d has no savepoint at node %u", animal, node);
    return_to(drive, animal, to);
    drive->at[animal] = node;
    return true;
}

int drive_copy_animal(struct drive *drive, node_id node)
{
    return drive_visit_node(drive, node) ? drive_copy_animal_here(drive, node, false) : -1;
}

/* Whether savepoints pay where a rank goes different ways. */
bool drive_can_have_savepoints(const struct drive *drive, node_id node)
{
    const struct checkpoint *here = checkpoint(drive, node);
    return !drive->no_savepoints && !drive->follow.relevance && !drive->shown && (here->open || here->answers > 1) &&
           drive->usual <= LONG_SEGMENT && drive->spoiled[here->rank] < MOST_SPOILED && !drive->uncopied[here->rank];
}

/* One that was made of the animal at this node, and waits for going back to it; -1: there is none. */
static int find_returning(struct drive *drive, node_id node)
{
    int animal;
    while ((animal = drive_find_waiting(drive, checkpoint(drive, node)->animal)) >= 0) {
        if (!herd_is_gone(&drive->herd, animal) &&
            savepoints_can_return(&drive->savepoints, &drive->herd, animal))
            return animal;
        drive_spoil_savepoints(drive, animal);
    }
    return -1;
}

/* An animal at a node that can go back makes a savepoint there, unless it has one; false: it has none. */
static bool keep_savepoint(struct drive *drive, int animal, node_id node, bool stay)
{
    struct savepoint *here = savepoints_find(&drive->savepoints, animal, node);
    if (!here && stay && savepoints_has(&drive->savepoints, animal) &&
        savepoints_make(&drive->savepoints, &drive->herd, animal, node))
        here = savepoints_find(&drive->savepoints, animal, node);
    if (here)
        here->last = !stay;
    return here;
}

/* Who goes on from a node by going back to it; -1: nobody. */
static int depart_returning(struct drive *drive, node_id node, bool stay)
{
    int animal = find_returning(drive, node);
    if (animal >= 0) {
        struct savepoint *first = &drive->savepoints.of[animal].at.at[0];
        first->last = !stay;
        return_to(drive, animal, first);
        return animal;
    }
    animal = checkpoint(drive, node)->animal;
    if (keep_savepoint(drive, animal, node, stay)) {
        savepoints_leave_base(&drive->savepoints, animal);
        drive->at[animal] = NODE_NONE;
        return animal;
    }
    if (!stay || !drive_can_have_savepoints(drive, node))
        return -1;
    animal = drive_copy_animal_here(drive, node, true);
    if (animal >= 0 && !savepoints_begin(&drive->savepoints, &drive->herd, animal, checkpoint(drive, node)->animal, node))
        drive->spoiled[checkpoint(drive, node)->rank]++;
    return animal;
}

int drive_depart(struct drive *drive, node_id node, bool stay, struct how_to_depart how)
{
    int animal = how.itself ? -1 : depart_returning(drive, node, stay), other;
    if (animal >= 0)
        return animal;
    animal = checkpoint(drive, node)->animal;
    other = stay ? drive_copy_animal(drive, node) : -1;
    if (other >= 0 && (how.brief || drive->descent[animal].left)) {
        drive->descent[other].away = 0;
        return other;
    }
    savepoints_leave_base(&drive->savepoints, animal);
    drive->at[animal] = NODE_NONE;
    drive->descent[animal].left = false;
    checkpoint(drive, node)->animal = other;
    if (other >= 0) {
        drive->at[other] = node;
        drive->descent[other].left = true;
        drive->descent[animal].away = 0;
    }
    return animal;
}

struct payload_block drive_send_answer(struct drive *drive, int animal, const struct ret *ret, uint64_t next)
{
    struct memory *memory = &drive->herd.memory;
    struct answer *answer = &drive->letter.answer;
    struct payload_block letter = {0};
    letter_write(&drive->letter, &drive->checkpoints, ret);
    answer->next = next;
    if (sizeof *answer + drive->letter.completions.n > WIRE_ANSWER) {
        letter.bytes = drive->letter.completions.n;
        letter.at = answer->payload = arena_take(memory, letter.bytes);
    }
    images_answered(&drive->images, animal);
    answer->order = savepoints_order(&drive->savepoints, animal);
    herd_answer(&drive->herd, animal, *answer, drive->letter.completions.at, drive->letter.completions.n);
    return letter;
}

/* The first ranks come up together, before any of them has changed a file. */
static uint32_t changes_by_now(const struct drive *drive, node_id node)
{
    bool comes_up = begins_process(drive, node) && !is_spawned(drive, checkpoint(drive, node)->rank);
    return comes_up ? 0 : herd_changed_files(&drive->herd);
}

void drive_show_files(struct drive *drive, int animal, node_id node)
{
    uint32_t *changed = &checkpoint(drive, node)->files;
    if (!*changed)
        *changed = changes_by_now(drive, node) + 1;
    herd_show_files(&drive->herd, animal, *changed - 1);
}

struct segment drive_read_segment(struct drive *drive, int animal, node_id node, struct payload_block letter)
{
    int64_t begun = microseconds();
    drive->reading.told = begun;
    struct segment segment = reading_take(&drive->reading, &drive->herd, animal, node);
    /* How long it takes a process to die is no matter of the rank's. */
    int64_t ended = segment.end == SEGMENT_EXIT ? drive->reading.told : microseconds();
    drive->usual += (ended - begun - drive->usual) / 8;
    if (!begins_process(drive, node)) {
        drive->descent[animal].run += ended - begun;
        drive->descent[animal].away += ended - begun;
    }
    if (letter.bytes)
        arena_give(&drive->herd.memory, letter.at, letter.bytes);
    return segment;
}

struct segment drive_run_to(struct drive *drive, int animal, node_id node)
{
    const struct ret *ret = begins_process(drive, node) ? NULL : checkpoint(drive, node)->ret;
    drive_show_files(drive, animal, node);
    return drive_read_segment(drive, animal, node, ret ? drive_send_answer(drive, animal, ret, 0) : (struct payload_block){0});
}
