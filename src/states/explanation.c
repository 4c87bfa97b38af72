#include "states/explanation.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "states/memory_object.h"
#include "states/snapshot.h"

enum {
    MOST_STATES = 5000, /* that are kept; what comes later is not looked at */
    MOST_NEAR = 64,     /* the last ones with which a state is compared to find the nearest */
};

/* A state that was seen, and the one before it that could have been the same. */
struct seen_state {
    struct snapshot snapshot;
    struct map_key image;
    uint32_t before; /* in `state`, + 1; 0: none */
};

struct explanation {
    struct drive *drive;
    struct runner inner;
    struct symbols *symbols;
    struct memory_namer *namer;
    struct snapshot_store store;
    VEC(struct seen_state) state;
    struct map last;   /* what makes states comparable -> the last one, in `state`, + 1 */
    struct map images; /* those that were seen, with that */
    VEC(struct difference_count) count;
    struct map names;   /* of `count`, + 1 */
    struct map in_pair; /* the same, of the two states that are compared */
    uint64_t compared, outside;
};

struct explanation *explanation_new(struct drive *drive)
{
    struct explanation *explanation = xcalloc(1, sizeof *explanation);
    explanation->drive = drive;
    explanation->inner = drive_runner(drive);
    explanation->symbols = symbols_new();
    explanation->namer = memory_namer_new(explanation->symbols);
    return explanation;
}

static void release_seen(struct seen_state *state)
{
    snapshot_release(&state->snapshot);
}

static void release_difference(struct difference_count *count)
{
    free(count->name);
}

void explanation_free(struct explanation *explanation)
{
    vec_release_each(&explanation->state, release_seen);
    vec_release_each(&explanation->count, release_difference);
    map_release(&explanation->last);
    map_release(&explanation->images);
    map_release(&explanation->names);
    map_release(&explanation->in_pair);
    snapshot_store_release(&explanation->store);
    memory_namer_free(explanation->namer);
    symbols_free(explanation->symbols);
    free(explanation);
}

/* ---- two states ---- */

static uint32_t count_of(struct explanation *explanation, const struct memory_object *object)
{
    struct map_key key = map_key2(hash_bytes(1, object->name, strlen(object->name)),
                                  hash_bytes(2, object->owner, strlen(object->owner)));
    uint32_t known = map_find(&explanation->names, key, 0);
    if (!known) {
        vec_push(&explanation->count, (struct difference_count){.name = xstrdup(object->name), .owner = object->owner});
        known = (uint32_t)explanation->count.n;
        map_put(&explanation->names, key, known);
    }
    return known;
}

/* Where programs, libraries, stacks and the heap are. */
static bool may_be_address(uint64_t word)
{
    return word >> 45 && !(word >> 47);
}

/* If only one half differs of two words, and they are no addresses, it is a number of its own. */
static void show_example(struct difference_count *count, uint64_t a, uint64_t b)
{
    bool high = (uint32_t)a == (uint32_t)b, low = a >> 32 == b >> 32 && !may_be_address(a);
    count->a = high ? a >> 32 : low ? (uint32_t)a : a;
    count->b = high ? b >> 32 : low ? (uint32_t)b : b;
}

static void count_difference(void *data, uint64_t address, uint64_t a, uint64_t b)
{
    struct explanation *explanation = data;
    uint64_t first = (uint64_t)__builtin_ctzll(a ^ b) / 8;
    struct memory_object object = memory_namer_find(explanation->namer, address + first);
    uint32_t number = object.follows ? 0 : count_of(explanation, &object);
    free(object.name);
    if (!number || map_find(&explanation->in_pair, map_key(number), 0))
        return;
    map_put(&explanation->in_pair, map_key(number), 1);
    struct difference_count *count = &explanation->count.at[number - 1];
    if (count->pairs++ == 0) {
        count->offset = object.offset;
        show_example(count, a, b);
    }
}

static void compare_states(struct explanation *explanation, uint32_t from, uint32_t with)
{
    map_release(&explanation->in_pair);
    explanation->in_pair = (struct map){0};
    explanation->compared++;
    snapshot_compare(&explanation->store, &explanation->state.at[with].snapshot,
                     &explanation->state.at[from].snapshot, count_difference, explanation);
    explanation->outside += explanation->in_pair.n == 0;
    for (uint32_t i = 1; explanation->in_pair.n == 1 && i <= explanation->count.n; i++)
        explanation->count.at[i - 1].alone += map_find(&explanation->in_pair, map_key(i), 0);
}

/* Of those that could have been the same, the one with the fewest pages that are not. */
static void compare_with_nearest(struct explanation *explanation, uint32_t number)
{
    size_t least = SIZE_MAX;
    uint32_t nearest = 0, at = explanation->state.at[number].before;
    for (int i = 0; at && i < MOST_NEAR; i++, at = explanation->state.at[at - 1].before) {
        size_t distance =
            snapshot_distance(&explanation->state.at[number].snapshot, &explanation->state.at[at - 1].snapshot);
        if (distance < least) {
            least = distance;
            nearest = at;
        }
    }
    if (nearest)
        compare_states(explanation, number, nearest - 1);
}

/* ---- looking on ---- */

/* As in explore/tree.c: the rank, and what it did last. */
static struct map_key comparable_key(rank_t rank, const struct segment *segment)
{
    struct map_key sum = HASH_START;
    const struct op *op = segment->ops;
    const uint64_t *content = segment->contents;
    hash_stir(&sum, (uint64_t)rank);
    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op)) {
        hash_stir(&sum, op->place);
        hash_stir(&sum, op_identity(op, content));
        content += op_contents(op);
    }
    return sum;
}

static void look_at_state(struct explanation *explanation, struct map_key key, node_id node,
                          const struct segment *segment)
{
    struct seen_state state = {.image = segment->image, .before = map_find(&explanation->last, key, 0)};
    pid_t pid = drive_sleeper(explanation->drive, node);
    const struct wire_sleep *sleep = drive_sleep(explanation->drive, node);
    if (!pid || !sleep || snapshot_take(&explanation->store, pid, sleep, &state.snapshot) < 0)
        return;
    vec_push(&explanation->state, state);
    map_put(&explanation->last, key, (uint32_t)explanation->state.n);
    struct stack callers = drive_stack(explanation->drive, node, segment->count - 1);
    memory_namer_look(explanation->namer, pid, sleep, &callers);
    compare_with_nearest(explanation, (uint32_t)explanation->state.n - 1);
}

static int run_and_look(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to,
                        struct segment *segment)
{
    struct explanation *explanation = data;
    int result = explanation->inner.run(explanation->inner.data, rank, from, ret, to, segment);
    if (result < 0 || segment->end != SEGMENT_CALL || !segment->imaged || explanation->state.n >= MOST_STATES)
        return result;
    struct map_key key = comparable_key(rank, segment), all = segment->image;
    hash_stir_key(&all, key);
    if (!map_find(&explanation->images, all, 0)) {
        map_put(&explanation->images, all, 1);
        look_at_state(explanation, key, to, segment);
    }
    return result;
}

static void pass_same_on(void *data, node_id node, node_id as)
{
    const struct explanation *explanation = data;
    explanation->inner.same(explanation->inner.data, node, as);
}

static enum visit go_on_searching(void *unused, const struct run *run)
{
    (void)unused, (void)run;
    return VISIT_GOOD;
}

struct explore_result explanation_search(struct explanation *explanation, const struct explore_options *options)
{
    struct runner runner = {.run = run_and_look, .same = pass_same_on, .data = explanation};
    struct explorer *explorer = explore_new(&runner, options);
    struct explore_result result = explore_run(explorer, go_on_searching, NULL);
    explore_free(explorer);
    return result;
}

/* ---- the sum ---- */

static int by_pairs(const void *a, const void *b)
{
    const struct difference_count *x = a, *y = b;
    if (x->pairs != y->pairs)
        return x->pairs < y->pairs ? 1 : -1;
    return strcmp(x->name, y->name);
}

struct explanation_sum explanation_sum(struct explanation *explanation)
{
    if (explanation->count.n)
        qsort(explanation->count.at, explanation->count.n, sizeof *explanation->count.at, by_pairs);
    map_release(&explanation->names); /* numbers have changed */
    explanation->names = (struct map){0};
    return (struct explanation_sum){explanation->state.n, explanation->compared, explanation->outside,
                                    explanation->count.at, explanation->count.n};
}
