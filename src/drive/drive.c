#include "drive/drive.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/die.h"
#include "base/mem.h"
#include "drive/answer.h"
#include "drive/early.h"
#include "drive/looks.h"
#include "drive/place.h"
#include "drive/steady.h"
#include "world/herd.h"
#include "world/reader.h"
#include "world/signals.h"

enum {
    HERD_KEPT = 100,   /* processes asleep at one time; beyond that the least recently used go */
    LONG_SEGMENT = 2000, /* microseconds: beyond that another copy, to run aside, costs less than it saves */
};

/* That somebody sleeps at a node; or else that its payloads are there. */
struct wish {
    node_id node;
    bool process;
};

struct drive {
    struct herd herd;
    struct places places;
    node_id at[HERD_MAX];      /* which node an animal sleeps at */
    uint64_t clock;
    struct drive_cost cost;
    struct reading reading;
    struct stacks stacks;
    struct letter letter;
    struct early early;
    struct looks looks;
    struct steady steady;
    VEC(struct wish) wishes;   /* what is needed for one comes later, and is granted first */
    VEC(node_id) way;          /* scratch of goes_again */
    bool *twinned;             /* owns; by rank: two have been given the same answer */
    rank_t diverged;           /* who did not do the same again */
    int64_t usual;             /* microseconds that segments of late took to read */
    bool lacks;                /* scratch of ahead */
    int *shown;                /* owns; by rank: the animal that is shown, -1: none yet; NULL: nothing is shown */
};

static struct place *place(const struct drive *drive, node_id node)
{
    return place_of(&drive->places, node);
}

/* ---- processes ---- */

static void settle(struct drive *drive, int animal, node_id node)
{
    place(drive, node)->animal = animal;
    place(drive, node)->used = ++drive->clock;
    place(drive, node)->passing = false;
    drive->at[animal] = node;
}

static void end(struct drive *drive, int animal)
{
    looks_gone(&drive->looks, animal);
    herd_kill(&drive->herd, animal);
}

static void let_go(struct drive *drive, int animal)
{
    if (drive->at[animal])
        place(drive, drive->at[animal])->animal = -1;
    drive->at[animal] = NODE_NONE;
    end(drive, animal);
}

/* The first node of a rank is kept: everything can be reached from there.  So is the one used right now. */
static void make_room(struct drive *drive)
{
    while (drive->herd.alive >= HERD_KEPT) {
        int oldest = -1;
        for (int i = 0; i < HERD_MAX; i++) {
            node_id node = drive->at[i];
            if (!node || place(drive, node)->parent == NODE_NONE || place(drive, node)->used == drive->clock)
                continue;
            if (oldest < 0 || place(drive, node)->used < place(drive, drive->at[oldest])->used)
                oldest = i;
        }
        if (oldest < 0)
            return;
        let_go(drive, oldest);
    }
}

static int start(struct drive *drive, rank_t rank)
{
    make_room(drive);
    drive->cost.starts++;
    int animal = herd_start(&drive->herd, rank);
    drive->at[animal] = NODE_NONE;
    return animal;
}

/* A copy of the animal that sleeps at a node; -1: there can be none. */
static int copy(struct drive *drive, node_id node)
{
    place(drive, node)->used = ++drive->clock;
    make_room(drive);
    int animal = herd_copy(&drive->herd, place(drive, node)->animal);
    if (animal < 0)
        return -1;
    looks_copied(&drive->looks, place(drive, node)->animal, animal);
    drive->cost.copies++;
    drive->at[animal] = NODE_NONE;
    return animal;
}

/*
 * Takes the animal that sleeps at a node away; if possible, a copy stays.  Not the other
 * way round: to copy a copy of a copy and so on takes the kernel longer each time.
 */
static int depart(struct drive *drive, node_id node, bool stay)
{
    int animal = place(drive, node)->animal, other = stay ? copy(drive, node) : -1;
    drive->at[animal] = NODE_NONE;
    place(drive, node)->animal = other;
    if (other >= 0)
        drive->at[other] = node;
    return animal;
}

/* Gives an animal an answer: where in the arena that lies, if it is long. */
static struct block send_answer(struct drive *drive, int animal, const struct ret *ret)
{
    struct memory *memory = &drive->herd.memory;
    struct answer *answer = &drive->letter.answer;
    struct block letter = {0};
    letter_write(&drive->letter, &drive->places, ret);
    if (sizeof *answer + drive->letter.completions.n > WIRE_ANSWER) {
        letter.bytes = drive->letter.completions.n;
        letter.at = answer->payload = arena_take(memory, letter.bytes);
    }
    herd_answer(&drive->herd, animal, *answer, drive->letter.completions.at, drive->letter.completions.n);
    return letter;
}

static struct segment read_segment(struct drive *drive, int animal, node_id node, struct block letter)
{
    int64_t begun = microseconds();
    struct segment segment = reading_take(&drive->reading, &drive->herd, animal, node);
    drive->usual += (microseconds() - begun - drive->usual) / 8;
    if (letter.bytes)
        arena_give(&drive->herd.memory, letter.at, letter.bytes);
    return segment;
}

/* Gives the animal the answer that leads to the node, if it needs one, and reads what it does. */
static struct segment run_to(struct drive *drive, int animal, node_id node)
{
    const struct ret *ret = place(drive, node)->ret;
    return read_segment(drive, animal, node, ret ? send_answer(drive, animal, ret) : (struct block){0});
}

/* ---- known nodes, once more ---- */

/* What it brings is taken in, if it was not there. */
static bool run_again(struct drive *drive, int animal, node_id node, enum segment_end *end)
{
    struct place *there = place(drive, node);
    struct segment segment = run_to(drive, animal, node);
    bool same = segment_sum(&segment) == there->sum;
    drive->cost.again++;
    if (same && place_lacks_payloads(there))
        place_keep(there, &drive->reading);
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
static bool should_stay(const struct place *here, size_t distance)
{
    bool forks = here->open || here->answers > 1;
    return here->parent == NODE_NONE || !here->passing || (forks && (distance & (distance - 1)) == 0);
}

/* Goes on from the node's parent, where somebody sleeps; false: the rank does something else now. */
static bool go_again(struct drive *drive, struct wish wish)
{
    node_id parent = place(drive, wish.node)->parent;
    enum segment_end how;
    int animal = parent ? depart(drive, parent, should_stay(place(drive, parent), drive->wishes.n))
                        : start(drive, place(drive, wish.node)->rank);
    bool same = run_again(drive, animal, wish.node, &how);
    if (!same || how != SEGMENT_CALL) {
        end(drive, animal);
    } else {
        settle(drive, animal, wish.node);
        place(drive, wish.node)->passing = !wish.process || drive->wishes.n > 1;
    }
    if (!same)
        drive->diverged = place(drive, wish.node)->rank;
    else if (wish.process && how != SEGMENT_CALL)
        BUG("nobody can sleep where rank %d has ended", place(drive, wish.node)->rank);
    return same;
}

static void wish_for(void *data, uint64_t payload)
{
    struct drive *drive = data;
    node_id node = payload_node(payload);
    if (place_lacks_payloads(place(drive, node)))
        vec_push(&drive->wishes, (struct wish){node, false});
}

/* Wishes for the payloads that the answer leading to a node hands over; false: they are there. */
static bool wish_for_payloads(struct drive *drive, node_id node)
{
    size_t before = drive->wishes.n;
    if (place(drive, node)->ret)
        answer_needs(place(drive, node)->ret, wish_for, drive);
    return drive->wishes.n > before;
}

static bool is_granted(const struct drive *drive, struct wish wish)
{
    const struct place *there = place(drive, wish.node);
    return wish.process ? there->animal >= 0 : !place_lacks_payloads(there);
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
        node_id parent = place(drive, wish.node)->parent;
        if (is_granted(drive, wish)) {
            drive->wishes.n--;
        } else if (wish_for_payloads(drive, wish.node)) {
            continue;
        } else if (parent && place(drive, parent)->animal < 0) {
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
static bool prepare(struct drive *drive, node_id from, node_id to)
{
    vec_push(&drive->wishes, (struct wish){from, true});
    wish_for_payloads(drive, to);
    return grant_wishes(drive);
}

/* Whoever had a choice, or comes to one. */
static void look(struct drive *drive, int animal, const struct place *there, struct segment *segment)
{
    if (segment->end == SEGMENT_CALL && (there->open || drive->looks.image[animal]) && !drive->looks.off)
        segment->imaged = looks_take(&drive->looks, &drive->herd, animal, &segment->image);
}

/* Gives an animal the answer that leads to a node, and tells the shape of what it does.  The segment read last stays. */
static uint64_t run_aside(struct drive *drive, int animal, node_id node)
{
    struct reading reading = {0};
    const struct ret *ret = place(drive, node)->ret;
    struct block letter = ret ? send_answer(drive, animal, ret) : (struct block){0};
    struct segment segment = reading_take(&reading, &drive->herd, animal, node);
    uint64_t shape = segment_shape(&segment);
    if (letter.bytes)
        arena_give(&drive->herd.memory, letter.at, letter.bytes);
    reading_drop(&reading, &drive->herd);
    reading_release(&reading);
    return shape;
}

/* The first time that a rank goes on from an open call, a twin is given the same answer: it has to do the same. */
static int copy_twin(struct drive *drive, node_id from)
{
    const struct place *here = place(drive, from);
    bool *twinned = &drive->twinned[here->rank];
    if (!here->open || *twinned)
        return -1;
    *twinned = true;
    return copy(drive, from);
}

static bool is_like_twin(struct drive *drive, int twin, node_id to, const struct segment *segment)
{
    bool same = run_aside(drive, twin, to) == segment_shape(segment);
    end(drive, twin);
    return same;
}

/* Runs on from a known node; false: a rank diverged on the way there. */
static bool run_on(struct drive *drive, node_id from, node_id to, int *animal, struct segment *segment)
{
    const struct ret *ret = place(drive, to)->ret;
    struct early_run begun;
    if (early_take(&drive->early, answer_key(from, ret), &begun)) {
        *animal = begun.animal;
        *segment = read_segment(drive, *animal, to, begun.letter);
        herd_place(&drive->herd, *animal, false);
        return true;
    }
    if (!prepare(drive, from, to))
        return false;
    const struct place *here = place(drive, from);
    int twin = copy_twin(drive, from);
    *animal = depart(drive, from, here->parent == NODE_NONE || (!ret->last && (here->open || here->answers > 1)));
    *segment = run_to(drive, *animal, to);
    if (twin < 0 || is_like_twin(drive, twin, to, segment))
        return true;
    drive->diverged = here->rank;
    reading_drop(&drive->reading, &drive->herd);
    end(drive, *animal);
    return false;
}

/* ---- whether ranks do the same again ---- */

static void notice_lack(void *data, uint64_t payload)
{
    struct drive *drive = data;
    drive->lacks = drive->lacks || place_lacks_payloads(place(drive, payload_node(payload)));
}

/* Goes the way to a node once more, but for the first `done` steps; false: something else came of it. */
static bool goes_again(struct drive *drive, int animal, node_id to, size_t done)
{
    bool same = true;
    vec_clear(&drive->way);
    for (node_id node = to; node; node = place(drive, node)->parent)
        vec_push(&drive->way, node);
    for (size_t i = drive->way.n - done; same && i-- > 0;) {
        const struct place *there = place(drive, drive->way.at[i]);
        drive->lacks = false;
        if (there->ret)
            answer_needs(there->ret, notice_lack, drive);
        if (drive->lacks)
            break;
        same = run_aside(drive, animal, drive->way.at[i]) == there->shape;
    }
    end(drive, animal);
    return same || herd_is_over(&drive->herd);
}

static node_id first_node(const struct drive *drive, node_id node)
{
    while (place(drive, node)->parent)
        node = place(drive, node)->parent;
    return node;
}

/*
 * A rank has come to its end at a node.  Whoever has left traces where others may find them is not run again for this:
 * what it finds then may be its own.
 */
static bool is_steady(struct drive *drive, int animal, node_id node)
{
    rank_t rank = place(drive, node)->rank;
    node_id first = first_node(drive, node);
    if (drive->reading.stacks || herd_kernel_state(&drive->herd, animal).left_traces)
        return true; /* it was searched before, or cannot be run again */
    struct steady_tries tries = steady_tries(&drive->steady, rank);
    bool same = true, go_on = true;
    for (int i = 0, other; same && go_on && i < tries.copies; i++) {
        int64_t begun = microseconds();
        if (place(drive, first)->animal < 0 || (other = copy(drive, first)) < 0)
            break;
        same = goes_again(drive, other, node, 1);
        go_on = steady_spent(&drive->steady, microseconds() - begun);
    }
    for (int i = 0; same && (go_on || i == 0) && i < tries.starts; i++) {
        int64_t begun = microseconds();
        same = goes_again(drive, start(drive, rank), node, 0);
        go_on = steady_spent(&drive->steady, microseconds() - begun);
    }
    return same;
}

static int run(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to, struct segment *segment)
{
    struct drive *drive = data;
    struct place *there = places_add(&drive->places, rank, from, ret, to);
    int animal;
    if (from == NODE_NONE) {
        animal = start(drive, rank);
        *segment = run_to(drive, animal, to);
        drive->usual = 0; /* coming up is not the usual */
    } else if (!run_on(drive, from, to, &animal, segment)) {
        *segment = (struct segment){.end = SEGMENT_DIVERGED, .code = drive->diverged};
        return herd_is_over(&drive->herd) ? -1 : 0;
    }
    if (herd_is_over(&drive->herd))
        return -1;
    place_learn(there, segment);
    place_keep(there, &drive->reading);
    place_note_calls(there, &drive->reading);
    look(drive, animal, there, segment);
    if (segment->end == SEGMENT_EXIT && !is_steady(drive, animal, to))
        *segment = (struct segment){.end = SEGMENT_DIVERGED, .code = rank};
    /* Reports look up addresses in processes: one that came to grief at the beginning may be the only one. */
    if (segment->end == SEGMENT_CALL || (from == NODE_NONE && !drive->herd.animal[animal].gone))
        settle(drive, animal, to);
    else
        end(drive, animal);
    return 0;
}

/* What was run aside is quickly read: so do not stop at the first that was. */
static bool pays(void *data)
{
    struct drive *drive = data;
    return drive->usual > LONG_SEGMENT || drive->early.run.n > 0;
}

/* Only where somebody sleeps and everything is there. */
static bool ahead(void *data, rank_t rank, node_id from, const struct ret *ret)
{
    struct drive *drive = data;
    (void)rank;
    if (drive->early.run.n >= HERD_KEPT / 2 || place(drive, from)->animal < 0)
        return false;
    drive->lacks = false;
    answer_needs(ret, notice_lack, drive);
    if (drive->lacks)
        return false;
    int animal = copy(drive, from);
    if (animal < 0)
        return false;
    herd_place(&drive->herd, animal, true);
    struct block letter = send_answer(drive, animal, ret);
    vec_push(&drive->early.run, (struct early_run){answer_key(from, ret), animal, letter});
    return true;
}

/* No process, no payloads: they come back when they are needed. */
static int adopt(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to,
                 const struct segment *segment)
{
    struct drive *drive = data;
    if (herd_is_over(&drive->herd))
        return -1;
    place_learn(places_add(&drive->places, rank, from, ret, to), segment);
    return 0;
}

/* Nobody will ask for what is there. */
static void same(void *data, node_id node)
{
    struct drive *drive = data;
    drive->looks.merged++;
    if (place(drive, node)->animal >= 0)
        let_go(drive, place(drive, node)->animal);
    place_drop(place(drive, node), &drive->herd.memory);
}

/* ---- showing ---- */

void drive_show_begin(struct drive *drive)
{
    struct herd *herd = &drive->herd;
    for (int i = 0; i < HERD_MAX; i++)
        if (herd->animal[i].pid && !herd->animal[i].dying)
            let_go(drive, i);
    herd->options.mute = false;
    herd->memory.head->stepped = 1;
    drive->shown = xcalloc((size_t)herd->options.ranks, sizeof *drive->shown);
    for (rank_t r = 0; r < herd->options.ranks; r++)
        drive->shown[r] = -1;
}

bool drive_show(struct drive *drive, node_id node, uint32_t stop, struct segment *segment)
{
    const struct place *there = place(drive, node);
    int *animal = &drive->shown[there->rank];
    if (there->parent == NODE_NONE)
        *animal = start(drive, there->rank);
    drive->reading.stop = stop;
    *segment = run_to(drive, *animal, node);
    reading_drop(&drive->reading, &drive->herd);
    return segment_sum(segment) == there->sum;
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
    looks_init(&drive->looks);
    steady_init(&drive->steady, options->ranks);
    drive->twinned = xcalloc((size_t)options->ranks, sizeof *drive->twinned);
    drive->looks.off = !options->images;
    drive->reading.stacks = options->stacks ? &drive->stacks : NULL;
    return drive;
}

void drive_free(struct drive *drive)
{
    looks_release(&drive->looks);
    steady_release(&drive->steady);
    herd_close(&drive->herd);
    for (size_t i = 0; i < drive->places.at.n; i++)
        place_release(place(drive, i));
    vec_release(&drive->places.at);
    reading_release(&drive->reading);
    stacks_release(&drive->stacks);
    vec_release(&drive->letter.completions);
    vec_release(&drive->wishes);
    vec_release(&drive->way);
    vec_release(&drive->early.run);
    free(drive->shown);
    free(drive->twinned);
    free(drive);
}

const char *drive_mpi(const struct drive *drive)
{
    for (int i = 0; i < HERD_MAX; i++) {
        const char *mpi = memory_channel(&drive->herd.memory, i)->stage.mpi;
        if (*mpi)
            return mpi;
    }
    return NULL;
}

struct runner drive_runner(struct drive *drive)
{
    return (struct runner){.run = run, .adopt = adopt, .same = same, .pays = pays, .ahead = ahead, .data = drive};
}

pid_t drive_process(struct drive *drive, node_id node)
{
    if (!node || (place(drive, node)->ended && place(drive, node)->animal < 0))
        return 0;
    if (drive->shown)
        return drive_shown(drive, place(drive, node)->rank);
    vec_push(&drive->wishes, (struct wish){node, true});
    return grant_wishes(drive) ? herd_process(&drive->herd, place(drive, node)->animal) : 0;
}

struct stack drive_stack(const struct drive *drive, node_id node, uint32_t index)
{
    const struct place *there = place(drive, node);
    uint32_t number = index < there->calls ? there->called[index] : 0;
    return number ? drive->stacks.at.at[number - 1] : (struct stack){0};
}

const struct wire_sleep *drive_sleep(const struct drive *drive, node_id node)
{
    int animal = place_of(&drive->places, node)->animal;
    return animal < 0 ? NULL : reader_sleep(&drive->herd.memory, animal);
}

int drive_signal(void)
{
    return signals_stop();
}

struct drive_cost drive_cost(const struct drive *drive)
{
    return drive->cost;
}
