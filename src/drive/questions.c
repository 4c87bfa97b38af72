/*
 * questions -- what others ask of a drive.
 */
#include "drive/inside.h"

#include "world/reader.h"
#include "world/signals.h"
#include "world/thread_lessons.h"

char *drive_heard(const struct drive *drive, rank_t r)
{
    return herd_heard(&drive->herd, r);
}

/* It is, and not only to go back there. */
static bool is_there(const struct drive *drive, int animal, node_id node)
{
    const struct savepoint_owner *owner = &drive->savepoints.of[animal];
    return drive->at[animal] == node && (owner->at.n == 0 || owner->back < 0);
}

pid_t drive_sleeper(const struct drive *drive, node_id node)
{
    int animal = node ? checkpoint(drive, node)->animal : -1;
    return animal < 0 || !is_there(drive, animal, node) ? 0 : herd_process(&drive->herd, animal);
}

/* Nothing has happened since that could make it come out otherwise. */
static bool is_sought_in_vain(const struct drive *drive, node_id node)
{
    return checkpoint(drive, node)->sought == drive->runs + 1;
}

pid_t drive_process(struct drive *drive, node_id node)
{
    if (!node || is_keeper(drive, checkpoint(drive, node)->rank) || is_birth(drive, node) ||
        (checkpoint(drive, node)->ended && checkpoint(drive, node)->animal < 0))
        return 0;
    if (drive->shown)
        return drive_shown(drive, checkpoint(drive, node)->rank);
    if (herd_is_over(&drive->herd) || is_sought_in_vain(drive, node))
        return drive_sleeper(drive, node);
    vec_push(&drive->wishes, (struct wish){node, true});
    bool granted = drive_grant_wishes(drive) && drive_summon_animal(drive, node);
    checkpoint(drive, node)->sought = granted ? 0 : drive->runs + 1;
    return granted ? herd_process(&drive->herd, checkpoint(drive, node)->animal) : 0;
}

struct stack drive_stack(const struct drive *drive, node_id node, uint32_t index)
{
    const struct checkpoint *there = checkpoint(drive, node);
    uint32_t number = index < there->calls ? there->called[index] : 0;
    return number ? drive->stacks.at.at[number - 1] : (struct stack){0};
}

static size_t tell_touches(void *data, node_id node, const struct local_touch **touched)
{
    const struct checkpoint *there = checkpoint(data, node);
    *touched = there->touched;
    return there->touches;
}

static bool is_looked_at(void *data, node_id node)
{
    return checkpoint(data, node)->is_looked_at;
}

static bool is_untouched(void *data, node_id node)
{
    return checkpoint(data, node)->is_untouched;
}

struct local_touches drive_touches(struct drive *drive)
{
    bool told = herd_tells_touches(&drive->herd);
    return (struct local_touches){tell_touches, is_looked_at, drive, told, told ? NULL : is_untouched};
}

bool drive_tells_touches(const struct drive *drive)
{
    return herd_tells_touches(&drive->herd);
}

const unseen_touches_t *drive_unseen_touches(const struct drive *drive)
{
    return &drive->touches.unseen;
}

const struct wire_sleep *drive_sleep(const struct drive *drive, node_id node)
{
    int animal = checkpoint_of(&drive->checkpoints, node)->animal;
    return animal < 0 || !is_there(drive, animal, node) ? NULL : reader_sleep(&drive->herd.memory, animal);
}

rank_t drive_killed(const struct drive *drive)
{
    return drive->killed;
}

enum obstacle drive_uncopied(const struct drive *drive, rank_t r)
{
    return drive->uncopied[r];
}

bool drive_saw_preference(const struct drive *drive)
{
    return atomic_load(&drive->herd.memory.head->preferred);
}

bool drive_saw_measurements(const struct drive *drive)
{
    return atomic_load(&drive->herd.memory.head->measured);
}

bool drive_saw_early_threads(const struct drive *drive)
{
    return atomic_load(&drive->herd.memory.head->early_threads);
}

bool drive_saw_probes_beside(const struct drive *drive)
{
    return atomic_load(&drive->herd.memory.head->probes_beside);
}

bool drive_saw_restless_thread(const struct drive *drive)
{
    return atomic_load(&drive->herd.memory.head->restless);
}

bool drive_stopped_merging(const struct drive *drive)
{
    return drive->stopped_merging;
}

bool drive_lacks_images(const struct drive *drive)
{
    return drive->images.failed;
}

struct drive_doubts drive_doubts(const struct drive *drive, rank_t r)
{
    return drive->doubts[r];
}

bool drive_followed(const struct drive *drive, struct relevance_cost *cost)
{
    if (!drive->follow.relevance)
        return false;
    *cost = relevance_cost(drive->follow.relevance);
    return true;
}

int drive_signal(void)
{
    return signals_stop();
}

int drive_wants_spawnable(const struct drive *drive)
{
    return drive->herd.wanted;
}

bool drive_saw_turns(const struct drive *drive)
{
    return atomic_load(&drive->herd.memory.head->take_turns);
}

bool drive_has_new_lessons(const struct drive *drive)
{
    return thread_lessons_are_new(drive->herd.memory.head);
}

char *drive_new_lessons(const struct drive *drive)
{
    return drive_has_new_lessons(drive) ? thread_lessons_text(drive->herd.memory.head) : NULL;
}

void drive_made_files(const struct drive *drive, made_files_t *made)
{
    herd_made_files(&drive->herd, made);
}

const spawn_places_t *drive_places(const struct drive *drive)
{
    return &drive->herd.places;
}

struct drive_cost drive_cost(const struct drive *drive)
{
    return drive->cost;
}
