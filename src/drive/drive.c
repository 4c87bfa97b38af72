#include "drive/drive.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/die.h"
#include "base/hash.h"
#include "base/invariant.h"
#include "base/log.h"
#include "base/mem.h"
#include "drive/answer.h"
#include "drive/births.h"
#include "drive/early.h"
#include "drive/effort.h"
#include "drive/follow.h"
#include "drive/images.h"
#include "drive/keeper_nodes.h"
#include "drive/checkpoint.h"
#include "drive/savepoints.h"
#include "drive/steady.h"
#include "world/herd.h"
#include "world/reader.h"
#include "world/signals.h"
#include "world/thread_lessons.h"

enum {
    HERD_KEPT = 100,   /* processes asleep at one time, beside two for each rank, where it began and where it is */
    HERD_SPARE = 24,   /* of those that there can be, left for what is about to start */
    MOST_KILLS = 3,    /* of one rank in a row, by somebody else: beyond that it is given up */
    MOST_SPOILED = 8,  /* processes with savepoints of one rank that came to nothing: beyond that there are no more */
    LONG_SEGMENT = 2000, /* microseconds: beyond that another copy, to run aside, costs less than it saves */
};

/* That somebody sleeps at a node; or else that its payloads are there. */
struct wish {
    node_id node;
    bool process;
};

struct drive {
    struct herd herd;
    struct checkpoints checkpoints;
    struct keeper_nodes keepers;
    node_id at[HERD_MAX];      /* which node an animal sleeps at */
    bool is_copy[HERD_MAX];    /* it did not come up by itself */
    uint64_t clock;
    struct drive_cost cost;
    struct reading reading;
    struct stacks stacks;
    struct touches touches;
    bool once_more; /* its runs were searched before */
    struct letter letter;
    struct segment_ahead early;
    struct images images;
    struct savepoints savepoints;
    bool no_savepoints;
    int in_hand;               /* the animal whose segment is looked at; -1: none */
    int *spoiled;              /* owns; by rank: processes with savepoints that were lost */
    struct steady steady;
    struct follow follow;
    VEC(struct wish) wishes;   /* what is needed for one comes later, and is granted first */
    VEC(node_id) way;          /* scratch of goes_again */
    bool *twinned;             /* owns; by rank: two have been given the same answer */
    rank_t diverged;           /* who did not do the same again, if somebody did not */
    int kills;                 /* how often in a row somebody else has killed a rank */
    rank_t killed;             /* who was given up for that; RANK_NONE: nobody */
    struct drive_difference difference; /* and what it did */
    struct kept_segment differing, first; /* their lists */
    struct drive_difference noise; /* the first time that a rank made the same calls with other data */
    struct kept_segment noisy;
    VEC(node_id) path;         /* scratch of drive_run_anew */
    enum obstacle *uncopied;   /* owns; by rank: why it could not be copied */
    bool stopped_merging;      /* nothing is merged any more, since a rank could not be copied */
    struct drive_doubts *doubts; /* owns; by rank */
    uint64_t runs;             /* segments that the search has asked for */
    struct effort effort;
    int64_t usual;             /* microseconds that segments of late took to read */
    bool lacks;                /* scratch of run_ahead */
    int *shown;                /* owns; by rank: the animal that is shown, -1: none yet; NULL: nothing is shown */
};

static struct checkpoint *checkpoint(const struct drive *drive, node_id node)
{
    return checkpoint_of(&drive->checkpoints, node);
}

/* Whether nobody has started the rank yet (births.h). */
static bool is_birth(const struct drive *drive, node_id node)
{
    return node && checkpoint(drive, node)->unborn;
}

/* Whether it is the first node that a process of its rank comes to. */
static bool begins_process(const struct drive *drive, node_id node)
{
    node_id parent = checkpoint(drive, node)->parent;
    return parent == NODE_NONE || is_birth(drive, parent);
}

static node_id parent_of(const struct drive *drive, node_id node)
{
    bulk_pass();
    return checkpoint(drive, node)->parent;
}

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

/* What was handed over long ago is put aside, while nobody can be reading it, and memory is given back. */
static void let_cool(struct drive *drive)
{
    if (!drive->early.run.n)
        payloads_put_aside(&drive->checkpoints.payloads);
    bulk_pass();
}

/* ---- processes ---- */

static void settle_animal(struct drive *drive, int animal, node_id node)
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

/* One that was made of another and waits for going back does not outlive it. */
static int find_waiting(const struct drive *drive, int base)
{
    for (size_t i = 0; i < drive->savepoints.owner.n; i++) {
        int animal = drive->savepoints.owner.at[i];
        if (drive->savepoints.of[animal].base == base && !drive->at[animal] && animal != drive->in_hand)
            return animal;
    }
    return -1;
}

static void end_animal(struct drive *drive, int animal)
{
    int waiting;
    images_gone(&drive->images, animal);
    drive->spoiled[drive->herd.animal[animal].rank] += savepoints_are_wanted(&drive->savepoints, animal);
    drop_savepoints(drive, animal);
    while ((waiting = find_waiting(drive, animal)) >= 0)
        end_animal(drive, waiting);
    savepoints_leave_base(&drive->savepoints, animal);
    herd_kill(&drive->herd, animal);
}

/* Something came in between, and the way back is lost. */
static void spoil_savepoints(struct drive *drive, int animal)
{
    LOG(drive, "animal %d cannot go back any more", animal);
    drive->spoiled[drive->herd.animal[animal].rank]++;
    drop_savepoints(drive, animal);
    if (!drive->at[animal])
        end_animal(drive, animal);
}

static void let_animal_go(struct drive *drive, int animal)
{
    if (drive->at[animal])
        checkpoint(drive, drive->at[animal])->animal = -1;
    drive->at[animal] = NODE_NONE;
    end_animal(drive, animal);
}

/*
 * An animal that has nothing more to do where it is.  If it can go back it waits for that; if not, its base is of no use either where
 * nobody will ask for it.
 */
static void retire_animal(struct drive *drive, int animal)
{
    const struct savepoint_owner *owner = &drive->savepoints.of[animal];
    if (drive->at[animal])
        checkpoint(drive, drive->at[animal])->animal = -1;
    drive->at[animal] = NODE_NONE;
    if (!drive->herd.animal[animal].gone && savepoints_are_wanted(&drive->savepoints, animal))
        return;
    int base = owner->at.n && !savepoints_are_wanted(&drive->savepoints, animal) ? owner->base : -1;
    node_id node = base >= 0 ? owner->at.at[0].node : NODE_NONE;
    end_animal(drive, animal);
    if (base >= 0 && drive->at[base] == node)
        retire_animal(drive, base);
}

/* An animal whose rank has come to an end: whether it can go back depends on how. */
static void dismiss_animal(struct drive *drive, int animal, enum segment_end how)
{
    if (how == SEGMENT_EXIT || how == SEGMENT_ABORT || how == SEGMENT_ERROR)
        retire_animal(drive, animal);
    else
        end_animal(drive, animal);
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
        let_animal_go(drive, oldest);
    }
}

/* `node` is the first that it comes to. */
static int start_animal(struct drive *drive, node_id node)
{
    rank_t rank = checkpoint(drive, node)->rank;
    struct birth_place birth;
    make_room_in_herd(drive);
    drive->cost.starts++;
    bool born = births_find(&drive->checkpoints, node, &birth);
    int animal = herd_start(&drive->herd, rank, born ? &birth : NULL);
    LOG(drive, "rank %d is started, as animal %d", rank, animal);
    drive->at[animal] = NODE_NONE;
    drive->is_copy[animal] = false;
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

/* One that is to go back with its next answer goes back at once. */
static void return_now(struct drive *drive, int animal)
{
    struct savepoint_order order = savepoints_order(&drive->savepoints, animal);
    if (!order.back)
        return;
    herd_answer(&drive->herd, animal, (struct answer){.kind = ANSWER_STAY, .order = order}, NULL, 0);
    reader_sleep(&drive->herd.memory, animal);
}

/* A copy of the animal that sleeps at a node; -1: there can be none. */
static int copy_animal_here(struct drive *drive, node_id node, bool returns)
{
    checkpoint(drive, node)->used = ++drive->clock;
    make_room_in_herd(drive);
    enum obstacle why;
    int original = checkpoint(drive, node)->animal;
    return_now(drive, original);
    if (!savepoints_before_copy(&drive->savepoints, &drive->herd, original))
        spoil_savepoints(drive, original);
    images_before_copy(&drive->images, &drive->herd, checkpoint(drive, node)->animal);
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
    return animal;
}

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

/*
 * Who has a savepoint at the node goes back there.  Where it sleeps now a copy stays, if somebody may ask for that node.  False: it cannot go back
 * any more, and nobody has the node now.  That may turn out just here: what it did to the kernel is heard of in another thread.
 */
static bool visit_node(struct drive *drive, node_id node)
{
    int animal = checkpoint(drive, node)->animal, other;
    node_id here = drive->at[animal];
    if (here == node)
        return true;
    if (here) {
        other = copy_animal_here(drive, here, false);
        if (checkpoint(drive, node)->animal != animal) {
            if (other >= 0)
                end_animal(drive, other);
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

/* -1 also if nobody has the node any more. */
static int copy_animal(struct drive *drive, node_id node)
{
    return visit_node(drive, node) ? copy_animal_here(drive, node, false) : -1;
}

/* Whether savepoints pay where a rank goes different ways. */
static bool can_have_savepoints(const struct drive *drive, const struct checkpoint *here)
{
    return !drive->no_savepoints && !drive->follow.relevance && !drive->shown && (here->open || here->answers > 1) &&
           drive->usual <= LONG_SEGMENT && drive->spoiled[here->rank] < MOST_SPOILED && !drive->uncopied[here->rank];
}

/* One that was made of the animal at this node, and waits for going back to it; -1: there is none. */
static int find_returning(struct drive *drive, node_id node)
{
    int animal;
    while ((animal = find_waiting(drive, checkpoint(drive, node)->animal)) >= 0) {
        if (!herd_is_gone(&drive->herd, animal) &&
            savepoints_can_return(&drive->savepoints, &drive->herd, animal))
            return animal;
        spoil_savepoints(drive, animal);
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
    if (!stay || !can_have_savepoints(drive, checkpoint(drive, node)))
        return -1;
    animal = copy_animal_here(drive, node, true);
    if (animal >= 0 && !savepoints_begin(&drive->savepoints, &drive->herd, animal, checkpoint(drive, node)->animal, node))
        drive->spoiled[checkpoint(drive, node)->rank]++;
    return animal;
}

struct how_to_depart {
    bool brief;  /* hardly anything follows */
    bool itself; /* not by going back: a copy is to be compared with it */
};

/*
 * Takes the animal that sleeps at a node, which was visited, away; if possible, a copy stays.  Not the other
 * way round: to copy a copy of a copy and so on takes the kernel longer each time.  So whoever
 * is soon no more is a copy, and the one that stays will go on.
 */
static int depart(struct drive *drive, node_id node, bool stay, struct how_to_depart how)
{
    int animal = how.itself ? -1 : depart_returning(drive, node, stay), other;
    if (animal >= 0)
        return animal;
    animal = checkpoint(drive, node)->animal;
    other = stay ? copy_animal(drive, node) : -1;
    if (how.brief && other >= 0)
        return other;
    savepoints_leave_base(&drive->savepoints, animal);
    drive->at[animal] = NODE_NONE;
    checkpoint(drive, node)->animal = other;
    if (other >= 0)
        drive->at[other] = node;
    return animal;
}

/* Gives an animal an answer: where in the arena that lies, if it is long. */
static struct payload_block send_answer(struct drive *drive, int animal, const struct ret *ret)
{
    struct memory *memory = &drive->herd.memory;
    struct answer *answer = &drive->letter.answer;
    struct payload_block letter = {0};
    letter_write(&drive->letter, &drive->checkpoints, ret);
    if (sizeof *answer + drive->letter.completions.n > WIRE_ANSWER) {
        letter.bytes = drive->letter.completions.n;
        letter.at = answer->payload = arena_take(memory, letter.bytes);
    }
    images_answered(&drive->images, animal);
    answer->order = savepoints_order(&drive->savepoints, animal);
    herd_answer(&drive->herd, animal, *answer, drive->letter.completions.at, drive->letter.completions.n);
    return letter;
}

static struct segment read_segment(struct drive *drive, int animal, node_id node, struct payload_block letter)
{
    int64_t begun = microseconds();
    drive->reading.told = begun;
    struct segment segment = reading_take(&drive->reading, &drive->herd, animal, node);
    /* How long it takes a process to die is no matter of the rank's. */
    int64_t ended = segment.end == SEGMENT_EXIT ? drive->reading.told : microseconds();
    drive->usual += (ended - begun - drive->usual) / 8;
    if (letter.bytes)
        arena_give(&drive->herd.memory, letter.at, letter.bytes);
    return segment;
}

/* Gives the animal the answer that leads to the node, if it needs one, and reads what it does. */
static struct segment run_to(struct drive *drive, int animal, node_id node)
{
    const struct ret *ret = begins_process(drive, node) ? NULL : checkpoint(drive, node)->ret;
    return read_segment(drive, animal, node, ret ? send_answer(drive, animal, ret) : (struct payload_block){0});
}

/* ---- killed by somebody else ---- */

/* No process has savepoints any more, nor what it takes. */
static void leave_savepoints(struct drive *drive)
{
    LOG(drive, "there are no savepoints any more");
    drive->no_savepoints = true;
    for (int i = 0; i < HERD_MAX; i++)
        if (drive->herd.animal[i].pid && drive->herd.animal[i].trapped && !drive->herd.animal[i].dying &&
            !drive->herd.animal[i].gone)
            let_animal_go(drive, i);
}

/* That is no doing of the program's, and can be tried again. */
static bool is_killed(struct drive *drive, int animal)
{
    bool killed = herd_was_killed(&drive->herd, animal);
    if (herd_was_trapped(&drive->herd, animal)) {
        leave_savepoints(drive);
        return true;
    }
    drive->kills = killed ? drive->kills + 1 : 0;
    return killed;
}

/* Whether a rank that was killed is to be tried again. */
static bool has_patience(struct drive *drive, rank_t rank)
{
    if (drive->kills < MOST_KILLS)
        return true;
    drive->killed = rank;
    return false;
}

/* ---- ranks that others start ---- */

static bool is_spawned(const struct drive *drive, rank_t rank)
{
    const struct world_options *options = &drive->herd.options;
    return rank >= options->ranks - options->spawnable && rank < dynamic_registry(options->ranks);
}

static bool is_registry(const struct drive *drive, rank_t rank)
{
    return drive->herd.options.spawnable && rank == dynamic_registry(drive->herd.options.ranks);
}

/* ---- keepers of windows ---- */

static bool is_keeper(const struct drive *drive, rank_t rank)
{
    return rank >= drive->herd.options.ranks || is_registry(drive, rank);
}

static struct segment run_keeper(struct drive *drive, node_id node)
{
    return keeper_nodes_run(&drive->keepers, &drive->checkpoints, &drive->herd.memory, drive->herd.options.ranks, node,
                       &drive->reading);
}

/* ---- known nodes, once more ---- */

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

static void note_difference(struct drive *drive, node_id node, const struct segment *segment, const struct reading *now)
{
    drive->difference = difference_to(drive, node, segment, now);
    drive->diverged = drive->difference.rank;
    segment_keep(&drive->differing, &drive->difference.segment);
}

/*
 * Whether a rank that was run again has made the same calls.  What it brings may be the time of day: then others have heard what it was the
 * first time, which stays, and the verdict says so.  If that is not here any more, they would hear something else.
 */
static bool is_same_but_for_noise(struct drive *drive, node_id node, const struct segment *segment, const struct reading *now)
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

/* The same of a segment that has just been run for the first time: it will not come into the tree. */
static void note_other_beginning(struct drive *drive, const struct segment *first)
{
    drive->difference.first = *first;
    segment_keep(&drive->first, &drive->difference.first);
}

/* What it brings is taken in, if it was not there. */
static bool run_node_again(struct drive *drive, int animal, node_id node, enum segment_end *end)
{
    struct checkpoint *there = checkpoint(drive, node);
    let_cool(drive);
    struct segment segment = run_to(drive, animal, node);
    bool same = is_same_but_for_noise(drive, node, &segment, &drive->reading);
    drive->cost.again++;
    LOG(drive, "rank %d is run again to node %u%s", there->rank, node, same ? "" : ", and does something else");
    if (!same)
        note_difference(drive, node, &segment, &drive->reading);
    if (same && checkpoint_lacks_payloads(there))
        checkpoint_keep(&drive->checkpoints, there, &drive->reading);
    else
        reading_drop(&drive->reading, &drive->herd);
    *end = segment.end;
    return same;
}

/*
 * Who merely passes a node need not leave a copy there.  But the search comes back
 * step by step: so on a long way copies stay at the distances 1, 2, 4, ... from its
 * end, where other answers may be asked for.
 */
static bool should_stay(const struct drive *drive, node_id node, size_t distance)
{
    const struct checkpoint *here = checkpoint(drive, node);
    bool forks = here->open || here->answers > 1;
    return begins_process(drive, node) || !here->passing || (forks && (distance & (distance - 1)) == 0);
}

/* What a keeper does is no more than its messages, so it is not compared. */
static void keep_again(struct drive *drive, node_id node)
{
    run_keeper(drive, node);
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
    if (!first && !visit_node(drive, parent))
        return true; /* it is wished for again */
    int animal = first ? start_animal(drive, wish.node)
                       : depart(drive, parent, should_stay(drive, parent, drive->wishes.n), (struct how_to_depart){0});
    bool same = run_node_again(drive, animal, wish.node, &how);
    if (!same && is_killed(drive, animal)) {
        end_animal(drive, animal);
        return has_patience(drive, checkpoint(drive, wish.node)->rank);
    }
    if (!same || how != SEGMENT_CALL) {
        dismiss_animal(drive, animal, how);
    } else {
        settle_animal(drive, animal, wish.node);
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

/* Wishes for the payloads that the answer leading to a node hands over; false: they are there. */
static bool wish_for_payloads(struct drive *drive, node_id node)
{
    size_t before = drive->wishes.n;
    if (checkpoint(drive, node)->ret)
        answer_needs(checkpoint(drive, node)->ret, wish_for, drive);
    return drive->wishes.n > before;
}

/* Somebody may have killed it in its sleep: it can be had again. */
static bool has_animal(struct drive *drive, node_id node)
{
    if (is_keeper(drive, checkpoint(drive, node)->rank))
        return keeper_nodes_have(&drive->keepers, node);
    if (is_birth(drive, node))
        return true; /* it needs none */
    int animal = checkpoint(drive, node)->animal;
    if (animal >= 0 && herd_is_gone(&drive->herd, animal))
        let_animal_go(drive, animal);
    else if (animal >= 0 && drive->at[animal] != node &&
             !savepoints_can_return(&drive->savepoints, &drive->herd, animal))
        spoil_savepoints(drive, animal);
    return checkpoint(drive, node)->animal >= 0;
}

static bool is_granted(struct drive *drive, struct wish wish)
{
    return wish.process ? has_animal(drive, wish.node) : !checkpoint_lacks_payloads(checkpoint(drive, wish.node));
}

/*
 * To run to a node takes the payloads of its answer, and somebody asleep at its
 * parent.  All these nodes are older than itself, so there is an end to it.  The
 * parent comes last: nothing happens between its arrival and its departure, so
 * that nobody takes its room.  False: a rank diverged on the way.
 */
static bool grant_wishes(struct drive *drive)
{
    while (drive->wishes.n) {
        struct wish wish = vec_last(&drive->wishes);
        node_id parent = checkpoint(drive, wish.node)->parent;
        if (is_granted(drive, wish)) {
            drive->wishes.n--;
        } else if (wish_for_payloads(drive, wish.node)) {
            continue;
        } else if (parent && !has_animal(drive, parent)) {
            vec_push(&drive->wishes, (struct wish){parent, true});
        } else if (!go_again(drive, wish)) {
            vec_clear(&drive->wishes);
            return false;
        }
    }
    return true;
}

/* ---- the runner ---- */

/* Sees to it that the answer leading to `to` can be given. */
static bool prepare_answer(struct drive *drive, node_id from, node_id to)
{
    vec_push(&drive->wishes, (struct wish){from, true});
    wish_for_payloads(drive, to);
    return grant_wishes(drive);
}

/* And that somebody sleeps there who gets it. */
static bool prepare_departure(struct drive *drive, node_id from, node_id to)
{
    do {
        if (!prepare_answer(drive, from, to))
            return false;
    } while (!visit_node(drive, from));
    return true;
}

static void note_doubt(enum doubt *doubt, enum doubt why)
{
    if (!*doubt)
        *doubt = why;
}

/* It sleeps there, and is not only to go back; false: nobody does any more. */
static bool summon_animal(struct drive *drive, node_id node)
{
    if (!visit_node(drive, node))
        return false;
    return_now(drive, checkpoint(drive, node)->animal);
    return true;
}

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

static void take_image(struct drive *drive, int animal, const struct checkpoint *there, struct segment *segment)
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
    while (above && !has_animal(drive, above))
        above = parent_of(drive, above);
    if (above && !is_birth(drive, above) && summon_animal(drive, above))
        images_begin(&drive->images, &drive->herd, checkpoint(drive, above)->animal);
}

static bool look_once_more(void *data, node_id node, struct map_key *image)
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
    if (!grant_wishes(drive) || !summon_animal(drive, node))
        return false;
    if (!images_take(&drive->images, &drive->herd, checkpoint(drive, node)->animal, image))
        return false;
    stir_touches(image, checkpoint(drive, node)->touched, checkpoint(drive, node)->touches);
    return true;
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

/* Gives an animal the answer that leads to a node; whether what it does has this shape.  The segment read last stays. */
static bool goes_alike(struct drive *drive, int animal, node_id node, uint64_t shape)
{
    struct reading reading = {0};
    const struct ret *ret = begins_process(drive, node) ? NULL : checkpoint(drive, node)->ret;
    struct payload_block letter = ret ? send_answer(drive, animal, ret) : (struct payload_block){0};
    struct segment segment = reading_take(&reading, &drive->herd, animal, node);
    bool same = segment_shape(&segment) == shape;
    if (!same)
        note_difference(drive, node, &segment, &reading);
    if (letter.bytes)
        arena_give(&drive->herd.memory, letter.at, letter.bytes);
    reading_drop(&reading, &drive->herd);
    reading_release(&reading);
    return same;
}

/* The first time that a rank goes on from an open call, a twin is given the same answer: it has to do the same. */
static int copy_twin(struct drive *drive, node_id from)
{
    const struct checkpoint *here = checkpoint(drive, from);
    bool *twinned = &drive->twinned[here->rank];
    if (!here->open || *twinned)
        return -1;
    *twinned = true;
    return copy_animal(drive, from);
}

/* One that somebody kills is like any other: it says nothing of what the rank would have done. */
static bool is_like_twin(struct drive *drive, int animal, int twin, node_id to, const struct segment *segment)
{
    bool same = goes_alike(drive, twin, to, segment_shape(segment)) || herd_was_killed(&drive->herd, twin) ||
                herd_was_killed(&drive->herd, animal);
    end_animal(drive, twin);
    return same;
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
    end_animal(drive, begun->animal);
    return false;
}

/* As run_to, step by step. */
static struct segment run_followed(struct drive *drive, int animal, node_id node)
{
    follow_stop(&drive->follow, &drive->herd, animal);
    struct payload_block letter = send_answer(drive, animal, checkpoint(drive, node)->ret);
    follow_run(&drive->follow, &drive->herd, animal);
    return read_segment(drive, animal, node, letter);
}

/* Runs on from a known node; false: a rank diverged on the way there. */
static bool run_on(struct drive *drive, node_id from, node_id to, int *animal, struct segment *segment)
{
    const struct ret *ret = checkpoint(drive, to)->ret;
    struct early_run begun;
    if (take_early_run(drive, answer_key(from, ret), &begun)) {
        *animal = begun.animal;
        effort_was_aside(&drive->effort);
        herd_run_aside(&drive->herd, *animal, false);
        *segment = read_segment(drive, *animal, to, begun.letter);
        herd_place(&drive->herd, *animal, false);
        return true;
    }
    if (!prepare_departure(drive, from, to))
        return false;
    const struct checkpoint *here = checkpoint(drive, from);
    if (here->answers > 1 && !ret->blind && !drive->images.image[here->animal] && !drive->images.off) {
        return_now(drive, here->animal);
        images_begin(&drive->images, &drive->herd, here->animal);
    }
    int twin = copy_twin(drive, from);
    bool stay = begins_process(drive, from) || (!ret->last && (here->open || here->answers > 1));
    *animal = depart(drive, from, stay, (struct how_to_depart){.brief = ret->brief, .itself = twin >= 0});
    *segment = run_followed(drive, *animal, to);
    if (twin < 0 || is_like_twin(drive, *animal, twin, to, segment))
        return true;
    drive->diverged = here->rank;
    note_other_beginning(drive, segment);
    reading_drop(&drive->reading, &drive->herd);
    end_animal(drive, *animal);
    return false;
}

/* ---- whether ranks do the same again ---- */

static void notice_lack(void *data, uint64_t payload)
{
    struct drive *drive = data;
    drive->lacks = drive->lacks || checkpoint_lacks_payloads(checkpoint(drive, payload_node(payload)));
}

/* Goes the way to a node once more, but for the first `done` steps; false: something else came of it. */
static bool goes_again(struct drive *drive, int animal, node_id to, size_t done)
{
    bool same = true;
    vec_clear(&drive->way);
    for (node_id node = to; node && !is_birth(drive, node); node = parent_of(drive, node))
        vec_push(&drive->way, node);
    for (size_t i = drive->way.n - done; same && i-- > 0;) {
        const struct checkpoint *there = checkpoint(drive, drive->way.at[i]);
        drive->lacks = false;
        if (there->ret)
            answer_needs(there->ret, notice_lack, drive);
        if (drive->lacks)
            break;
        let_cool(drive);
        same = goes_alike(drive, animal, drive->way.at[i], there->shape) || herd_was_killed(&drive->herd, animal);
    }
    end_animal(drive, animal);
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

/*
 * A rank has come to its end at a node, by this segment.  Whoever has left traces where others may find them is not run again for this:
 * what it finds then may be its own.
 */
static void note_traces(struct drive *drive, int animal, node_id node, const struct segment *segment)
{
    struct checkpoint *there = checkpoint(drive, node);
    there->traces = herd_kernel_state(&drive->herd, animal).left_traces;
    bool early = there->traces == DOUBT_UNHEARD && begins_process(drive, node) && !calls_init(segment);
    if (!drive->once_more)
        note_doubt(&drive->doubts[there->rank].untried, early ? DOUBT_BEFORE : there->traces);
}

/* Whether a rank that has come to its end at a node does so again. */
static bool is_steady(struct drive *drive, node_id node)
{
    rank_t rank = checkpoint(drive, node)->rank;
    if (drive->once_more || checkpoint(drive, node)->traces)
        return true; /* or it cannot be tried */
    struct steady_tries tries = steady_tries(&drive->steady, rank);
    node_id first = tries.copies ? first_node(drive, node) : NODE_NONE; /* a long way in a deep search */
    bool same = true, go_on = true;
    for (int i = 0, other; same && go_on && i < tries.copies; i++) {
        int64_t begun = microseconds();
        if (checkpoint(drive, first)->animal < 0 || (other = copy_animal(drive, first)) < 0)
            break;
        same = goes_again(drive, other, node, 1);
        go_on = steady_spent(&drive->steady, microseconds() - begun);
    }
    for (int i = 0; same && i < tries.starts; i++) {
        int64_t begun = microseconds();
        same = goes_again(drive, start_animal(drive, first), node, 0);
        steady_spent(&drive->steady, microseconds() - begun);
    }
    return same;
}

static bool prove_end(void *data, node_id node)
{
    return is_steady(data, node);
}

/* From its start, or on from a known node; false: a rank diverged on the way there. */
static bool run_first(struct drive *drive, node_id from, node_id to, int *animal, struct segment *segment)
{
    if (!begins_process(drive, to))
        return run_on(drive, from, to, animal, segment);
    wish_for_payloads(drive, to);
    if (!grant_wishes(drive))
        return false;
    *animal = start_animal(drive, to);
    *segment = run_to(drive, *animal, to);
    drive->usual = 0; /* coming up is not the usual */
    return true;
}

/* False also if it is killed whenever it is tried. */
static bool run_unkilled(struct drive *drive, rank_t rank, node_id from, node_id to, int *animal,
                         struct segment *segment)
{
    while (run_first(drive, from, to, animal, segment)) {
        if (segment->end != SEGMENT_CRASH || !is_killed(drive, *animal)) {
            drive->kills = 0;
            return true;
        }
        reading_drop(&drive->reading, &drive->herd);
        end_animal(drive, *animal);
        if (!has_patience(drive, rank))
            return false;
    }
    return false;
}

/* Goes on from the keeper at the node, with the message that is its answer; false: the sender of that diverged. */
static bool keep_on(struct drive *drive, node_id from, node_id to, struct segment *segment)
{
    if (from && !prepare_answer(drive, from, to))
        return false;
    *segment = run_keeper(drive, to);
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
    if (!run_unkilled(drive, rank, from, to, &animal, segment)) {
        bool killed = drive->kills >= MOST_KILLS;
        *segment = (struct segment){.end = killed ? SEGMENT_UNKNOWN : SEGMENT_DIVERGED, .code = drive->diverged};
        drive->kills = 0;
        return herd_is_over(&drive->herd) ? -1 : 0;
    }
    if (herd_is_over(&drive->herd))
        return -1;
    drive->in_hand = animal;
    checkpoint_learn(&drive->checkpoints, there, segment);
    there->by_copy = drive->is_copy[animal];
    checkpoint_keep(&drive->checkpoints, there, &drive->reading);
    checkpoint_note_calls(&drive->checkpoints, there, &drive->reading);
    take_image(drive, animal, there, segment);
    note_effects(drive, animal, there, segment);
    follow_tell(&drive->follow, &drive->herd, &drive->checkpoints, animal, from, to, &drive->reading, drive->images.outside,
                segment);
    if (segment->end == SEGMENT_EXIT)
        note_traces(drive, animal, to, segment);
    if (segment->end == SEGMENT_EXIT && !(ret && ret->hasty) && !is_steady(drive, to)) {
        if (drive->difference.node == to)
            note_other_beginning(drive, segment);
        *segment = (struct segment){.end = SEGMENT_DIVERGED, .code = rank};
    }
    drive->in_hand = -1;
    steps = follow_steps(&drive->follow) - steps;
    segment->effort = steps ? effort_of_steps(steps)
                            : effort_end(&drive->effort, animal, herd_process(&drive->herd, animal));
    if (begins_process(drive, to))
        segment->effort = 0; /* coming up is not the usual */
    if (segment->effort)
        LOG(drive, "rank %d took as long to node %u as %u usual segments would", rank, to, segment->effort);
    /* Reports look up addresses in processes: one that came to grief at the beginning may be the only one. */
    if (segment->end == SEGMENT_CALL || (begins_process(drive, to) && !drive->herd.animal[animal].gone))
        settle_animal(drive, animal, to);
    else
        dismiss_animal(drive, animal, segment->end);
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
    drive->lacks = false;
    answer_needs(ret, notice_lack, drive);
    if (drive->lacks)
        return false;
    int animal = copy_animal(drive, from);
    if (animal < 0)
        return false;
    herd_place(&drive->herd, animal, true);
    herd_run_aside(&drive->herd, animal, true);
    struct payload_block letter = send_answer(drive, animal, ret);
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
        retire_animal(drive, checkpoint(drive, node)->animal);
    keeper_nodes_forget(&drive->keepers, node);
    checkpoint_drop(&drive->checkpoints, checkpoint(drive, node));
}

static node_id withdrawn_node(void *data)
{
    struct drive *drive = data;
    return follow_withdrawn(&drive->follow);
}

/* ---- from the start ---- */

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
        wish_for_payloads(drive, drive->path.at[i]);
    return grant_wishes(drive);
}

/* That a rank hangs was seen before: it need not be waited for as long. */
static bool is_same_anew(struct drive *drive, node_id node, const struct segment *segment)
{
    struct segment as_before = *segment;
    if (segment->end == SEGMENT_HUNG)
        as_before.code = checkpoint(drive, node)->code;
    return is_same_but_for_noise(drive, node, &as_before, &drive->reading);
}

static bool run_path(struct drive *drive, int animal)
{
    bool same = true;
    for (size_t i = drive->path.n; i-- > 0 && same;) {
        let_cool(drive);
        struct segment segment = run_to(drive, animal, drive->path.at[i]);
        same = is_same_anew(drive, drive->path.at[i], &segment);
        if (!same && !herd_is_over(&drive->herd))
            note_difference(drive, drive->path.at[i], &segment, &drive->reading);
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
        int animal = start_animal(drive, vec_last(&drive->path));
        *timeout = before > PATIENCE ? PATIENCE : before;
        same = run_path(drive, animal);
        *timeout = before;
        killed = !same && herd_was_killed(&drive->herd, animal);
        end_animal(drive, animal);
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

const struct drive_difference *drive_difference(const struct drive *drive)
{
    return &drive->difference;
}

const struct drive_difference *drive_noise(const struct drive *drive)
{
    return &drive->noise;
}

/* ---- showing ---- */

void drive_show_begin(struct drive *drive)
{
    struct herd *herd = &drive->herd;
    for (int i = 0; i < HERD_MAX; i++)
        if (herd->animal[i].pid && !herd->animal[i].dying)
            let_animal_go(drive, i);
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
        *animal = start_animal(drive, node);
    drive->reading.stop = stop;
    *segment = run_to(drive, *animal, node);
    reading_drop(&drive->reading, &drive->herd);
    return segment_shape(segment) == there->shape;
}

pid_t drive_shown(const struct drive *drive, rank_t r)
{
    int animal = drive->shown[r];
    return animal < 0 || drive->herd.animal[animal].gone ? 0 : herd_process(&drive->herd, animal);
}

/* ---- the whole ---- */

struct drive *drive_new(const struct world_options *options)
{
    struct drive *drive = xcalloc(1, sizeof *drive);
    herd_open(&drive->herd, options);
    drive->checkpoints.payloads.memory = &drive->herd.memory;
    steady_init(&drive->steady, options->ranks);
    if (options->followed)
        follow_open(&drive->follow, &drive->herd);
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
    return drive;
}

void drive_free(struct drive *drive)
{
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
                           .look = look_once_more,
                           .prove = prove_end,
                           .same = drop_merged_node,
                           .withdrawn = withdrawn_node,
                           .pays = running_ahead_pays,
                           .ahead = run_ahead,
                           .data = drive};
}

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
    bool granted = grant_wishes(drive) && summon_animal(drive, node);
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

struct local_touches drive_touches(struct drive *drive)
{
    return (struct local_touches){tell_touches, is_looked_at, drive, herd_tells_touches(&drive->herd)};
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

const spawn_places_t *drive_places(const struct drive *drive)
{
    return &drive->herd.places;
}

struct drive_cost drive_cost(const struct drive *drive)
{
    return drive->cost;
}
