/*
 * What ranks put into the shared memory, from where a stray pointer may have written over
 * it.  World and herd are ours here: the rings hold the input, and a rank that is answered goes on with what comes next in its ring.  What makes no sense
 * ends tourney, which refuses by die or BUG.
 *
 * The input: the lengths of the rings but the last, four bytes each, then the rings.
 */
#include <stdlib.h>
#include <string.h>

#include "drive/reading.h"
#include "fuzz.h"
#include "parts.h"
#include "play/play.h"
#include "world/reader.h"
#include "world/stack.h"

enum { RANKS = 3 };

struct world {
    struct memory memory;
    struct rank rank[RANKS];
};

static struct world world;
static struct herd herd;

/* ---- the world ---- */

int world_ranks(const struct world *w)
{
    (void)w;
    return RANKS;
}

int world_all_ranks(const struct world *w)
{
    (void)w;
    return RANKS;
}

rank_t world_take_places(struct world *w, uint64_t n)
{
    (void)w, (void)n;
    return RANK_NONE;
}

void world_spawn(struct world *w, rank_t r, struct birth_place birth)
{
    (void)w, (void)r, (void)birth;
    abort(); /* a birth for nobody is not intact */
}

const struct rank *world_rank(const struct world *w, rank_t r)
{
    return &w->rank[r];
}

struct memory *world_memory(struct world *w)
{
    return &w->memory;
}

pid_t world_process(const struct world *w, rank_t r)
{
    (void)w, (void)r;
    return 0;
}

/* Whoever still runs has nothing to say any more. */
void world_listen(struct world *w)
{
    for (rank_t r = 0; r < RANKS; r++)
        if (w->rank[r].life == LIFE_RUNNING)
            w->rank[r].life = LIFE_GONE;
}

rank_t world_hanging(const struct world *w)
{
    (void)w;
    return RANK_NONE;
}

int world_hang_timeout(const struct world *w)
{
    (void)w;
    return 0;
}

bool world_at_rest(const struct world *w)
{
    for (rank_t r = 0; r < RANKS; r++)
        if (w->rank[r].life == LIFE_RUNNING)
            return false;
    return true;
}

void world_hold(struct world *w, rank_t r, bool hold)
{
    w->rank[r].held = hold;
}

int world_signal(const struct world *w)
{
    (void)w;
    return 0;
}

const struct op *world_peek(struct world *w, rank_t r)
{
    return reader_peek(&w->memory, r, &w->rank[r].taken, NULL);
}

bool world_tells_touches(const struct world *w)
{
    (void)w;
    return false;
}

bool world_is_too_late(struct world *w, rank_t r)
{
    return reader_is_too_late(world_peek(w, r));
}

bool world_withdraws(struct world *w, rank_t r)
{
    (void)w, (void)r;
    return false;
}

void world_note_threads(struct world *w, rank_t r, bool run)
{
    (void)w, (void)r, (void)run;
}

void world_take(struct world *w, rank_t r)
{
    reader_take(&w->memory, r, &w->rank[r].taken);
}

void world_fell_asleep(struct world *w, rank_t r)
{
    w->rank[r].life = LIFE_ASLEEP;
}

void world_answer(struct world *w, rank_t r, struct answer answer, const void *completions, size_t bytes)
{
    reader_answer(&w->memory, r, answer, completions, bytes);
    w->rank[r].life = reader_has_news(&w->memory, r, w->rank[r].taken) ? LIFE_RUNNING : LIFE_GONE;
}

bool world_went_on(const struct world *w, rank_t r)
{
    (void)w, (void)r;
    return false;
}

void world_follow(struct world *w, rank_t r)
{
    (void)w, (void)r;
}

rank_t world_pick(const struct world *w, rank_t r)
{
    (void)w, (void)r;
    return RANK_NONE;
}

/* ---- the herd, of one animal for each rank ---- */

const struct op *herd_next(struct herd *h, int i)
{
    return reader_peek(&h->memory, i, &h->animal[i].taken, &h->animal[i].before);
}

rank_t herd_take_places(struct herd *h, rank_t root, const struct op *op)
{
    (void)h, (void)root, (void)op;
    return RANK_NONE;
}

void herd_take(struct herd *h, int i)
{
    reader_take(&h->memory, i, &h->animal[i].taken);
    h->animal[i].before = (struct told_before){0};
}

void herd_answer(struct herd *h, int i, struct answer answer, const void *completions, size_t bytes)
{
    reader_answer(&h->memory, i, answer, completions, bytes);
}

void herd_give_room(struct herd *h, int i)
{
    struct answer answer = {.kind = ANSWER_ROOM, .payload = arena_take(&h->memory, herd_next(h, i)->room)};
    herd_take(h, i);
    reader_answer(&h->memory, i, answer, NULL, 0);
}

uint32_t herd_noes(const struct herd *herd, int i)
{
    (void)herd;
    (void)i;
    return 0;
}

pid_t herd_process(const struct herd *h, int i)
{
    (void)h, (void)i;
    return 0;
}

int stack_take(pid_t process, uint64_t address[static STACK_DEPTH])
{
    (void)process, (void)address;
    return 0;
}

/* ---- the input ---- */

static void forget_arena(struct memory *memory)
{
    memory->top = 4096;
    memory->kept = 0;
    for (size_t i = 0; i < sizeof memory->unused / sizeof *memory->unused; i++)
        vec_clear(&memory->unused[i]);
}

static void fill_ring(int r, const uint8_t *bytes, size_t size)
{
    struct wire_channel *c = memory_channel(&world.memory, r);
    size = (size < WIRE_RING ? size : WIRE_RING) & ~(size_t)7;
    if (size)
        memcpy(c->ring, bytes, size);
    atomic_store(&c->posted, size);
    atomic_store(&c->taken, 0);
}

static void fill(const uint8_t *bytes, size_t size)
{
    struct part part[RANKS];
    parts_cut(part, RANKS, bytes, size);
    for (int r = 0; r < RANKS; r++)
        fill_ring(r, part[r].bytes, part[r].size);
    forget_arena(&world.memory);
}

/* ---- the readers ---- */

static void locate(void *data, rank_t rank, uint64_t address, struct trace_place *place)
{
    (void)data, (void)rank, (void)address, (void)place;
}

static void play(void)
{
    memset(world.rank, 0, sizeof world.rank);
    struct play *play = play_new(&world, 0, NULL, locate, NULL);
    struct outcome outcome = play_run(play);
    outcome_release(&outcome);
    play_free(play);
}

static void read_segments(void)
{
    static struct reading reading;
    struct stacks stacks = {0};
    reading.stacks = &stacks;
    herd.memory = world.memory;
    forget_arena(&herd.memory);
    for (int r = 0; r < RANKS; r++) {
        herd.animal[r] = (struct animal){.rank = r};
        for (struct segment segment = {.end = SEGMENT_CALL}; segment.end == SEGMENT_CALL;) {
            segment = reading_take(&reading, &herd, r, 1);
            if (!segment_is_lawful(&segment, RANKS))
                abort();
            segment_sum(&segment);
            reading_drop(&reading, &herd);
        }
    }
    stacks_release(&stacks);
    memcpy(world.memory.unused, herd.memory.unused, sizeof world.memory.unused); /* they may have grown */
}

void fuzz_one(const uint8_t *bytes, size_t size)
{
    fuzz_bugs_refuse = true;
    if (!world.memory.base)
        memory_open(&world.memory, RANKS, RANKS, RANKS);
    fill(bytes, size);
    play();
    fill(bytes, size);
    read_segments();
}
