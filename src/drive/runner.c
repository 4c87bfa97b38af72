/*
 * runner -- the drive as the search sees it: segments that are run from a known node on, beside others, or adopted; from its beginning to its end.
 */
#include "drive/inside.h"

#include <stdlib.h>

#include "base/invariant.h"
#include "base/log.h"
#include "base/mem.h"
#include "drive/births.h"
#include "drive/opening.h"
#include "drive/starts.h"

/* Who sleeps where is known from both sides; how ranks came to a node is looked at whenever there are twice as many. */
static void check_invariants(const struct drive *drive)
{
    size_t nodes = drive->checkpoints.at.n;
    for (int animal = 0; animal < HERD_MAX; animal++)
        INVARIANT(!drive->at[animal] || checkpoint(drive, drive->at[animal])->animal == animal,
                  "animal %d sleeps at node %u, where another is", animal, drive->at[animal]);
    if (nodes & (nodes - 1))
        return;
    for (node_id node = 1; node < nodes; node++) {
        const struct checkpoint *there = checkpoint(drive, node);
        INVARIANT(there->animal < 0 || drive->at[there->animal] == node ||
                      savepoints_find((struct savepoints *)&drive->savepoints, there->animal, node),
                  "node %u has animal %d, which is not there", node, there->animal);
        INVARIANT(there->parent < node && (!there->parent || checkpoint(drive, there->parent)->rank == there->rank),
                  "rank %d came to node %u from another rank's", there->rank, node);
        INVARIANT(!there->payload || there->brings, "node %u keeps payloads that nobody brought", node);
    }
}

/* What it has done to the kernel, and thereby to others. */
static void note_effects(struct drive *drive, int animal, const struct checkpoint *there, const struct segment *segment)
{
    struct drive_doubts *doubts = &drive->doubts[there->rank];
    struct kernel_state kernel = herd_kernel_state(&drive->herd, animal);
    doubts->changed_files |= kernel.changed_files;
    if (segment->end == SEGMENT_CALL && there->open && !drive->images.off)
        note_doubt(&doubts->unmerged, kernel.unknowable);
}

/* False: none was begun, or it is of no use any more. */
static bool take_early_run(struct drive *drive, struct map_key answer, struct early_run *begun)
{
    if (!early_take(&drive->early, answer, begun))
        return false;
    if (herd_can_run_aside(&drive->herd, begun->animal))
        return true;
    if (begun->letter.bytes)
        arena_give(&drive->herd.memory, begun->letter.at, begun->letter.bytes);
    drive_end_animal(drive, begun->animal);
    return false;
}

/* As drive_run_to, step by step. */
static struct segment run_followed(struct drive *drive, int animal, node_id node)
{
    follow_stop(&drive->follow, &drive->herd, animal);
    drive_show_files(drive, animal, node);
    struct payload_block letter = drive_send_answer(drive, animal, checkpoint(drive, node)->ret, 0);
    follow_run(&drive->follow, &drive->herd, animal);
    return drive_read_segment(drive, animal, node, letter);
}

/* Runs on from a known node; false: a rank diverged on the way there. */
static bool run_on(struct drive *drive, node_id from, node_id to, int *animal, struct segment *segment)
{
    const struct ret *ret = checkpoint(drive, to)->ret;
    struct early_run begun;
    if (take_early_run(drive, answer_key(from, ret), &begun)) {
        *animal = begun.animal;
        effort_was_aside(&drive->effort);
        drive_show_files(drive, *animal, to);
        herd_run_aside(&drive->herd, *animal, false);
        *segment = drive_read_segment(drive, *animal, to, begun.letter);
        herd_place(&drive->herd, *animal, false);
        return true;
    }
    if (!drive_prepare_departure(drive, from, to))
        return false;
    const struct checkpoint *here = checkpoint(drive, from);
    if (here->answers > 1 && !ret->blind && !drive->images.image[here->animal] && !drive->images.off) {
        drive_return_now(drive, here->animal);
        images_begin(&drive->images, &drive->herd, here->animal);
    }
    int twin = drive_copy_twin(drive, from);
    bool stay = begins_process(drive, from) || (!ret->last && (here->open || here->answers > 1));
    bool passes = !stay && milestone_is_due(drive, from);
    *animal = drive_depart(drive, from, stay || passes, (struct how_to_depart){.brief = ret->brief, .itself = twin >= 0 || passes});
    drive->in_hand = *animal; /* whom it was made of may make room for a milestone */
    if (passes)
        milestone_note(drive, from);
    drive->in_hand = -1;
    *segment = run_followed(drive, *animal, to);
    if (twin < 0 || drive_is_like_twin(drive, *animal, twin, to, segment))
        return true;
    drive->diverged = here->rank;
    drive_note_other_beginning(drive, segment);
    reading_drop(&drive->reading, &drive->herd);
    drive_end_animal(drive, *animal);
    return false;
}

/* From its start, or on from a known node; false: a rank diverged on the way there. */
static bool run_first(struct drive *drive, node_id from, node_id to, int *animal, struct segment *segment)
{
    if (!begins_process(drive, to))
        return run_on(drive, from, to, animal, segment);
    drive_wish_for_payloads(drive, to);
    if (!drive_grant_wishes(drive))
        return false;
    if (from == NODE_NONE)
        starts_before_first(drive);
    *animal = drive_start_animal(drive, to);
    *segment = drive_run_to(drive, *animal, to);
    drive->usual = 0; /* coming up is not the usual */
    return true;
}

/* False also if it is killed whenever it is tried. */
static bool run_unkilled(struct drive *drive, rank_t rank, node_id from, node_id to, int *animal,
                         struct segment *segment)
{
    while (run_first(drive, from, to, animal, segment)) {
        if (segment->end != SEGMENT_CRASH || !drive_is_killed(drive, *animal)) {
            drive->kills = 0;
            return true;
        }
        reading_drop(&drive->reading, &drive->herd);
        drive_end_animal(drive, *animal);
        if (!drive_has_patience(drive, rank))
            return false;
    }
    return false;
}

/* Goes on from the keeper at the node, with the message that is its answer; false: the sender of that diverged. */
static bool keep_on(struct drive *drive, node_id from, node_id to, struct segment *segment)
{
    if (from && !drive_prepare_answer(drive, from, to))
        return false;
    *segment = drive_run_keeper(drive, to);
    checkpoint_learn(&drive->checkpoints, checkpoint(drive, to), segment);
    checkpoint_keep(&drive->checkpoints, checkpoint(drive, to), &drive->reading);
    segment->imaged = !drive->images.off;
    segment->image = keeper_nodes_image(&drive->keepers, to);
    return true;
}

static int run_segment(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to,
                       struct segment *segment)
{
    struct drive *drive = data;
    struct checkpoint *there = checkpoints_add(&drive->checkpoints, rank, from, ret, to);
    uint64_t steps = follow_steps(&drive->follow);
    int animal;
    CHECKED(check_invariants(drive));
    let_cool(drive);
    effort_begin(&drive->effort);
    drive->runs++;
    if (is_keeper(drive, rank))
        opening_end(drive, "there are windows");
    if (is_keeper(drive, rank) && keep_on(drive, from, to, segment))
        return 0;
    if (is_keeper(drive, rank)) {
        *segment = (struct segment){.end = SEGMENT_DIVERGED, .code = drive->diverged};
        return herd_is_over(&drive->herd) ? -1 : 0;
    }
    if (is_spawned(drive, rank) && from == NODE_NONE) {
        *segment = births_await(&drive->reading, &drive->herd.memory, to);
        checkpoint_learn(&drive->checkpoints, there, segment);
        there->unborn = true;
        return 0;
    }
    bool ahead = opening_run(drive, rank, from, to, &animal, segment);
    if (!ahead && !run_unkilled(drive, rank, from, to, &animal, segment)) {
        bool killed = drive->kills >= MOST_KILLS;
        *segment = (struct segment){.end = killed ? SEGMENT_UNKNOWN : SEGMENT_DIVERGED, .code = drive->diverged};
        drive->kills = 0;
        return herd_is_over(&drive->herd) ? -1 : 0;
    }
    if (herd_is_over(&drive->herd))
        return -1;
    drive->in_hand = animal;
    if (!ahead)
        opening_note(drive, rank, from, to, segment);
    if (from == NODE_NONE)
        starts_after_first(drive, animal);
    checkpoint_learn(&drive->checkpoints, there, segment);
    there->by_copy = drive->is_copy[animal];
    checkpoint_keep(&drive->checkpoints, there, &drive->reading);
    checkpoint_note_calls(&drive->checkpoints, there, &drive->reading);
    if (!ahead)
        drive_take_image(drive, animal, there, segment);
    note_effects(drive, animal, there, segment);
    follow_tell(&drive->follow, &drive->herd, &drive->checkpoints, animal, from, to, &drive->reading, drive->images.outside,
                segment);
    if (segment->end == SEGMENT_EXIT)
        drive_note_traces(drive, animal, to, segment);
    if (segment->end == SEGMENT_EXIT && !(ret && ret->hasty) && !drive_is_steady(drive, to)) {
        if (drive->difference.node == to)
            drive_note_other_beginning(drive, segment);
        *segment = (struct segment){.end = SEGMENT_DIVERGED, .code = rank};
    }
    drive->in_hand = -1;
    steps = follow_steps(&drive->follow) - steps;
    segment->effort = steps   ? effort_of_steps(steps)
                      : ahead ? 0
                              : effort_end(&drive->effort, animal, herd_process(&drive->herd, animal));
    if (begins_process(drive, to))
        segment->effort = 0; /* coming up is not the usual */
    if (segment->effort)
        LOG(drive, "rank %d took as long to node %u as %u usual segments would", rank, to, segment->effort);
    if (ahead) {
        opening_settle(drive, animal, segment);
        return 0;
    }
    /* Reports look up addresses in processes: one that came to grief at the beginning may be the only one. */
    if (segment->end == SEGMENT_CALL || (begins_process(drive, to) && !drive->herd.animal[animal].gone))
        drive_settle_animal(drive, animal, to);
    else
        drive_dismiss_animal(drive, animal, segment->end);
    return 0;
}

/* What was run aside is quickly read: so do not stop at the first that was. */
static bool running_ahead_pays(void *data)
{
    struct drive *drive = data;
    return !drive->follow.relevance && (drive->usual > LONG_SEGMENT || drive->early.run.n > 0);
}

/* Only where somebody sleeps and everything is there. */
static bool run_ahead(void *data, rank_t rank, node_id from, const struct ret *ret)
{
    struct drive *drive = data;
    if (is_keeper(drive, rank) || is_birth(drive, from) || drive->early.run.n >= HERD_KEPT / 2 || checkpoint(drive, from)->animal < 0 ||
        drive->at[checkpoint(drive, from)->animal] != from ||
        !herd_can_run_aside(&drive->herd, checkpoint(drive, from)->animal))
        return false;
    if (drive_lacks_for(drive, ret))
        return false;
    int animal = drive_copy_animal(drive, from);
    if (animal < 0)
        return false;
    herd_place(&drive->herd, animal, true);
    herd_run_aside(&drive->herd, animal, true);
    struct payload_block letter = drive_send_answer(drive, animal, ret, 0);
    vec_push(&drive->early.run, (struct early_run){answer_key(from, ret), animal, letter});
    return true;
}

/* No process, no payloads: they come back when they are needed. */
static int adopt_node(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to,
                      const struct segment *segment)
{
    struct drive *drive = data;
    if (herd_is_over(&drive->herd))
        return -1;
    opening_end(drive, "an earlier session has come further");
    starts_end(drive);
    struct checkpoint *there = checkpoints_add(&drive->checkpoints, rank, from, ret, to);
    there->unborn = is_spawned(drive, rank) && from == NODE_NONE;
    checkpoint_learn(&drive->checkpoints, there, segment);
    births_learn_places(&drive->herd.places, rank, segment);
    return 0;
}

/* Nobody will ask for what is there. */
static void drop_merged_node(void *data, node_id node, node_id as)
{
    struct drive *drive = data;
    follow_same(&drive->follow, node, as);
    LOG(drive, "node %u is like an earlier one", node);
    if (checkpoint(drive, node)->animal >= 0)
        drive_retire_animal(drive, checkpoint(drive, node)->animal);
    keeper_nodes_forget(&drive->keepers, node);
    checkpoint_drop(&drive->checkpoints, checkpoint(drive, node));
}

static node_id withdrawn_node(void *data)
{
    struct drive *drive = data;
    return follow_withdrawn(&drive->follow);
}

static bool shares_files(void *data)
{
    const struct drive *drive = data;
    for (rank_t r = 0; r < drive->herd.options.ranks; r++)
        if (drive->doubts[r].changed_files)
            return true;
    return false;
}

struct drive *drive_new(const struct world_options *options)
{
    struct drive *drive = xcalloc(1, sizeof *drive);
    herd_open(&drive->herd, options);
    drive->checkpoints.payloads.memory = &drive->herd.memory;
    steady_init(&drive->steady, options->ranks);
    if (options->followed)
        follow_open(&drive->follow, &drive->herd);
    drive->milestones = xcalloc((size_t)options->ranks, sizeof *drive->milestones);
    drive->twinned = xcalloc((size_t)options->ranks, sizeof *drive->twinned);
    drive->uncopied = xcalloc((size_t)options->ranks, sizeof *drive->uncopied);
    drive->doubts = xcalloc((size_t)options->ranks, sizeof *drive->doubts);
    drive->spoiled = xcalloc((size_t)options->ranks, sizeof *drive->spoiled);
    drive->no_savepoints = options->no_savepoints;
    drive->in_hand = -1;
    drive->images.off = !options->images;
    drive->killed = RANK_NONE;
    drive->reading.stacks = options->stacks ? &drive->stacks : NULL;
    drive->reading.touches = options->touches || herd_tells_touches(&drive->herd) ? &drive->touches : NULL;
    drive->once_more = options->stacks || options->touches;
    drive->starts = starts_new(drive->herd.kernel && !options->followed); /* others would not wait */
    drive->opening = opening_new(options->ranks, !drive->once_more && !options->followed && !options->spawnable && !options->errors);
    return drive;
}

void drive_free(struct drive *drive)
{
    opening_free(drive->opening);
    starts_free(drive->starts);
    images_release(&drive->images);
    savepoints_release(&drive->savepoints);
    steady_release(&drive->steady);
    follow_close(&drive->follow);
    herd_close(&drive->herd);
    checkpoints_release(&drive->checkpoints);
    keeper_nodes_release(&drive->keepers);
    reading_release(&drive->reading);
    stacks_release(&drive->stacks);
    touches_release(&drive->touches);
    vec_release(&drive->letter.completions);
    vec_release(&drive->wishes);
    vec_release(&drive->way);
    vec_release(&drive->early.run);
    kept_segment_release(&drive->differing);
    kept_segment_release(&drive->first);
    kept_segment_release(&drive->noisy);
    vec_release(&drive->path);
    free(drive->uncopied);
    free(drive->doubts);
    free(drive->spoiled);
    free(drive->shown);
    free(drive->twinned);
    free(drive->milestones);
    free(drive);
}

const char *drive_mpi(const struct drive *drive)
{
    for (int i = 0; i < HERD_MAX; i++) {
        const char *mpi = memory_channel(&drive->herd.memory, i)->claim.mpi;
        if (*mpi)
            return mpi;
    }
    return NULL;
}

struct runner drive_runner(struct drive *drive)
{
    return (struct runner){.run = run_segment,
                           .adopt = adopt_node,
                           .look = drive_look_once_more,
                           .prove = drive_prove_end,
                           .shares_files = shares_files,
                           .same = drop_merged_node,
                           .withdrawn = withdrawn_node,
                           .pays = running_ahead_pays,
                           .ahead = run_ahead,
                           .leaps = !drive->follow.relevance,
                           .data = drive};
}
