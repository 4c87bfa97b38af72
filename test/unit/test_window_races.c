/*
 * What races of accesses to windows are made of: ranges that overlap, kinds that conflict, lives of accesses in runs made by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "call/calls.h"
#include "check/access_conflict.h"
#include "check/access_tree.h"

/* ---- ranges ---- */

struct found {
    bool is[512];
    size_t n;
};

static void note_found(void *data, struct access_range *range)
{
    struct found *found = data;
    assert_false(found->is[range->access]);
    found->is[range->access] = true;
    found->n++;
}

static bool is_even(void *data, const struct access_range *range)
{
    (void)data;
    return range->access % 2 == 0;
}

static void expect_overlaps(struct access_tree *tree, const struct access_range *range, size_t n, bool even_only)
{
    for (uint64_t from = 0; from < 140; from += 7)
        for (uint64_t bytes = 1; bytes < 60; bytes += 11) {
            struct found found = {{0}, 0};
            access_tree_each(tree, from, from + bytes, note_found, &found);
            for (size_t i = 0; i < n; i++) {
                bool overlaps = range[i].from < from + bytes && from < range[i].until && (!even_only || i % 2 == 0);
                assert_int_equal(found.is[i], overlaps);
            }
        }
}

/* Against a list that is gone through. */
static void tree_finds_what_overlaps(void **unused)
{
    struct access_tree tree = {0};
    struct access_range range[300];
    uint32_t random = 5;
    (void)unused;
    for (uint32_t i = 0; i < 300; i++) {
        random = random * 1664525 + 1013904223;
        uint64_t from = random >> 8 & 127, bytes = 1 + (random >> 16 & 15);
        range[i] = (struct access_range){from, from + bytes, i};
        access_tree_add(&tree, range[i]);
    }
    expect_overlaps(&tree, range, 300, false);
    access_tree_keep(&tree, is_even, NULL);
    assert_int_equal(tree.node.n, 150);
    expect_overlaps(&tree, range, 300, true);
    access_tree_release(&tree);
}

/* ---- what conflicts ---- */

static enum access_conflict conflict_of(const struct window_accesses *all, const struct race_access *a, uint64_t at,
                                        const struct race_access *b, uint64_t bt)
{
    struct window_piece one = {at, 8}, other = {bt, 8};
    enum access_conflict conflict = access_conflict(all, a, one, b, other);
    assert_int_equal(access_conflict(all, b, other, a, one), conflict);
    return conflict;
}

static void kinds_conflict_as_the_standard_says(void **unused)
{
    static const enum race_access_kind kind[] = {RACE_PUT, RACE_GET, RACE_ATOMIC, RACE_STORE, RACE_LOAD};
    struct window_use use = {.kind = WINDOW_ACCUMULATE, .operator = OPERATOR_SUM, .element = {.number = WINDOW_SIGNED, .size = 4, .extent = 4}};
    struct raced_window window = {0};
    struct window_accesses all = {.ranks = 2};
    (void)unused;
    vec_push(&all.window, window);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++) {
            struct race_access a = {.kind = kind[i], .origin = 0, .use = &use}, b = {.kind = kind[k], .origin = 1, .use = &use};
            bool reads = (kind[i] == RACE_GET || kind[i] == RACE_LOAD) && (kind[k] == RACE_GET || kind[k] == RACE_LOAD);
            bool atomic = kind[i] == RACE_ATOMIC && kind[k] == RACE_ATOMIC;
            assert_int_equal(conflict_of(&all, &a, 0, &b, 0), reads || atomic ? CONFLICT_NONE : CONFLICT_ORDER);
        }
    struct race_access own[] = {{.kind = RACE_STORE}, {.kind = RACE_LOAD}};
    assert_int_equal(conflict_of(&all, &own[0], 0, &own[1], 0), CONFLICT_NONE);
    vec_release(&all.window);
}

static void accumulates_must_be_alike(void **unused)
{
    struct window_element number = {.number = WINDOW_SIGNED, .size = 4, .extent = 4};
    struct window_use sum = {.kind = WINDOW_ACCUMULATE, .operator = OPERATOR_SUM, .element = number}, other = sum;
    struct window_accesses all = {.ranks = 2};
    struct race_access a = {.kind = RACE_ATOMIC, .origin = 0, .use = &sum}, b = {.kind = RACE_ATOMIC, .origin = 1, .use = &other};
    (void)unused;
    vec_push(&all.window, ((struct raced_window){0}));
    assert_int_equal(conflict_of(&all, &a, 0, &b, 4), CONFLICT_NONE);
    assert_int_equal(conflict_of(&all, &a, 0, &b, 2), CONFLICT_ELEMENTS);
    b.window = 1;
    assert_int_equal(conflict_of(&all, &a, 0, &b, 0), CONFLICT_WINDOWS);
    b.window = 0;
    other.operator = OPERATOR_PROD;
    assert_int_equal(conflict_of(&all, &a, 0, &b, 0), CONFLICT_OPERATORS);
    b.origin = 0;
    assert_int_equal(conflict_of(&all, &a, 0, &b, 0), CONFLICT_NONE); /* ordered */
    b.origin = 1;
    other.operator = OPERATOR_NO_OP;
    other.kind = WINDOW_FETCH;
    other.element.number = WINDOW_BYTES;
    assert_int_equal(conflict_of(&all, &a, 0, &b, 0), CONFLICT_NONE);
    all.window.at[0].flags = WINDOW_SAME_OPERATOR;
    assert_int_equal(conflict_of(&all, &a, 0, &b, 0), CONFLICT_OPERATORS);
    all.window.at[0].flags = 0;
    other.kind = WINDOW_SWAP;
    other.operator = OPERATOR_NONE;
    assert_int_equal(conflict_of(&all, &a, 0, &b, 0), CONFLICT_NONE);
    other = sum;
    other.element.number = WINDOW_FLOAT;
    assert_int_equal(conflict_of(&all, &a, 0, &b, 0), CONFLICT_TYPES);
    other.element = (struct window_element){.number = WINDOW_SIGNED, .size = 8, .extent = 8};
    assert_int_equal(conflict_of(&all, &a, 0, &b, 0), CONFLICT_TYPES);
    vec_release(&all.window);
}

/* ---- lives, in runs made by hand ---- */

enum { CONTEXT = 77, RANKS = 2, SLOT = 3 };

/* An operation with room for what remarks have in their tails. */
struct made_op {
    struct op op;
    union {
        struct window_extent extent;
        struct {
            struct window_use use;
            struct window_piece piece;
        };
        struct window_done done;
    };
};

static struct made_op opened(void)
{
    return (struct made_op){
        .op = {.kind = OP_WINDOW, .slot = SLOT, .event = WINDOW_OPENED, .context = CONTEXT, .peer = RANK_ANY}, .extent = {.bytes = 64}};
}

static struct made_op event_of(enum window_event event, rank_t target)
{
    return (struct made_op){.op = {.kind = OP_WINDOW, .slot = SLOT, .event = event, .context = CONTEXT, .peer = target}};
}

static struct made_op use_of(enum window_access_kind kind, enum window_epoch epoch, rank_t target)
{
    return (struct made_op){.op = {.kind = OP_ACCESS, .slot = SLOT, .context = CONTEXT, .peer = target},
                            .use = {.kind = kind, .epoch = epoch, .pieces = 1},
                            .piece = {0, 4}};
}

static struct made_op fence_of(int turn)
{
    return (struct made_op){.op = {.kind = OP_COLL, .call = CALL_Win_fence, .context = CONTEXT, .turn = turn}};
}

/* One segment after each operation; what it knows of the other rank is given. */
static void make_rank(struct window_clocks *clocks, rank_t r, struct made_op *ops, const uint32_t *knows, uint32_t n)
{
    struct rank_record *record = &clocks->rank[r];
    record->clock = xcalloc((size_t)n * RANKS, sizeof *record->clock);
    record->gain = xcalloc(n, sizeof *record->gain);
    record->met = xcalloc(n, sizeof *record->met);
    record->done = n;
    for (uint32_t i = 0; i < n; i++) {
        ops[i].op.size = sizeof ops[i];
        vec_push(&record->op, &ops[i].op);
        vec_push(&record->segment_of, i);
        if (op_is_common_to_ranks(&ops[i].op))
            vec_push(&clocks->common, ((struct op_name){r, i}));
        vec_push(&record->segment, ((struct record_segment){.node = i + 1 + 100 * (node_id)r, .first = i, .count = 1}));
        record->clock[i * RANKS + (uint32_t)r] = i;
        record->clock[i * RANKS + (uint32_t)(1 - r)] = knows[i];
    }
}

static struct window_clocks new_clocks(void)
{
    struct window_clocks clocks = {.ranks = RANKS, .width = RANKS, .players = RANKS};
    clocks.rank = xcalloc(RANKS, sizeof *clocks.rank);
    clocks.keeper = xcalloc(RANKS, sizeof *clocks.keeper);
    return clocks;
}

/* The only access of each of the two ranks. */
static void expect_order(struct window_clocks *clocks, const struct local_touches *touches, bool before)
{
    struct window_accesses all;
    window_accesses_begin(&all, clocks, touches);
    assert_int_equal(all.access.n, 2);
    assert_int_equal(all.access.at[0].origin, 0);
    assert_int_equal(access_is_before(&all.access.at[0], &all.access.at[1]), before);
    assert_false(access_is_before(&all.access.at[1], &all.access.at[0]));
    window_accesses_release(&all);
    window_clocks_release(clocks);
}

/* Rank 0 puts to rank 1 and flushes; rank 1 knows of so many operations of it when it puts. */
static void flush_must_be_known(void **unused)
{
    (void)unused;
    for (uint32_t known = 0; known <= 4; known++) {
        struct window_clocks clocks = new_clocks();
        struct made_op first[] = {opened(), use_of(WINDOW_PUT, WINDOW_BY_LOCK, 1), event_of(WINDOW_FLUSHED, 1), event_of(WINDOW_SYNCED, RANK_ANY)};
        struct made_op second[] = {opened(), use_of(WINDOW_PUT, WINDOW_BY_LOCK, 1)};
        make_rank(&clocks, 0, first, (const uint32_t[]){0, 0, 0, 0}, 4);
        make_rank(&clocks, 1, second, (const uint32_t[]){0, known}, 2);
        expect_order(&clocks, NULL, known > 2); /* of the operation with number 2 */
    }
}

/* A flush of another target, or one that is local, completes no put; a local one completes a get. */
static void flush_must_be_the_right_one(void **unused)
{
    static const struct {
        enum window_access_kind kind;
        enum window_event event;
        rank_t target;
        bool before;
    } given[] = {{WINDOW_PUT, WINDOW_FLUSHED, 0, false},
                 {WINDOW_PUT, WINDOW_FLUSHED, RANK_ANY, true},
                 {WINDOW_PUT, WINDOW_FLUSHED_LOCALLY, 1, false},
                 {WINDOW_GET, WINDOW_FLUSHED_LOCALLY, 1, true}};
    (void)unused;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        struct window_clocks clocks = new_clocks();
        struct made_op first[] = {opened(), use_of(given[i].kind, WINDOW_BY_LOCK, 1), event_of(given[i].event, given[i].target)};
        struct made_op second[] = {opened(), use_of(WINDOW_PUT, WINDOW_BY_LOCK, 1)};
        make_rank(&clocks, 0, first, (const uint32_t[]){0, 0, 0}, 3);
        make_rank(&clocks, 1, second, (const uint32_t[]){0, 3}, 2);
        expect_order(&clocks, NULL, given[i].before);
    }
}

/* ---- accesses that ranks make themselves, which tell of their turns ---- */

enum { PLACES = 40, PLAYERS = PLACES + 2 * (SLOT + 1) * PLACES }; /* as many ranks as may be started, of which two are */

struct told_ops {
    struct made_op *op[RANKS];
    uint32_t n[RANKS];
};

static struct history ops_of_rank(const void *data, node_id node)
{
    const struct told_ops *told = data;
    return (struct history){.rank = (rank_t)node - 1, .ops = &told->op[node - 1]->op, .count = told->n[node - 1]};
}

static struct made_op done_of(uint32_t turn)
{
    struct made_op op = event_of(WINDOW_DONE, 1);
    op.op.ticket = turn;
    return op;
}

/* What two ranks know, each in one segment, if these were taken at the memory of rank 1 in their order. */
static struct window_clocks follow_two(struct told_ops *told, const struct pairing *taken, size_t n)
{
    static const node_id node[PLACES] = {1, 2};
    static const struct ret *const beginning[1];
    struct trail trail[PLAYERS] = {{0}};
    struct window_clocks clocks;
    for (rank_t r = 0; r < PLACES; r++) {
        bool at_work = r < RANKS;
        for (uint32_t i = 0; at_work && i < told->n[r]; i++)
            told->op[r][i].op.size = sizeof *told->op[r];
        trail[r] = (struct trail){.n = at_work, .node = &node[r], .ret = beginning, .posted = at_work ? told->n[r] : 0};
    }
    struct account account = {.trail = trail, .window_pairings = n, .window_pairing = taken};
    struct told_run run = {.account = &account, .ranks = PLACES, .windows = true, .players = PLAYERS, .history = ops_of_rank, .data = told};
    assert_true(window_clocks_begin(&clocks, &run, NULL, NULL));
    return clocks;
}

static uint32_t known_at(const struct window_clocks *clocks, rank_t r, uint32_t number, rank_t of)
{
    uint32_t clock[PLACES] = {0};
    window_clocks_at(clocks, (struct op_name){r, number}, clock);
    return clock[of];
}

/* Rank 0 accumulates, rank 1 fetches what is there: it knows of rank 0 from its flush on, if rank 0 was first (W12). */
static void own_results_are_heard_at_the_flush(void **unused)
{
    rank_t memory = window_memory_keeper(PLACES, SLOT, 1);
    const struct pairing turns[] = {{.send = {0, 3}, .recv = {memory, 0}, .made = true}, {.send = {1, 2}, .recv = {memory, 0}, .made = true}};
    const struct pairing other_way[] = {turns[1], turns[0]};
    (void)unused;
    for (int first = 0; first < 2; first++) {
        struct made_op sum[] = {opened(), event_of(WINDOW_SYNCED, RANK_ANY), use_of(WINDOW_ACCUMULATE, WINDOW_BY_LOCK, 1), done_of(1),
                                event_of(WINDOW_FLUSHED, 1)};
        struct made_op fetch[] = {opened(), use_of(WINDOW_FETCH, WINDOW_BY_LOCK, 1), done_of(2), event_of(WINDOW_FLUSHED, 0),
                                  event_of(WINDOW_FLUSHED_LOCALLY, 1), event_of(WINDOW_SYNCED, RANK_ANY)};
        struct told_ops told = {{sum, fetch}, {5, 6}};
        struct window_clocks clocks = follow_two(&told, first ? turns : other_way, 2);
        assert_int_equal(clocks.width, RANKS);
        assert_int_equal(known_at(&clocks, 1, 3, 0), 0); /* the flush of another target brings nothing */
        assert_int_equal(known_at(&clocks, 1, 4, 0), first ? 3 : 0);
        assert_int_equal(known_at(&clocks, 1, 5, 0), first ? 3 : 0);
        assert_int_equal(known_at(&clocks, 0, 4, 1), 0); /* who has no result has seen nothing */
        window_clocks_release(&clocks);
    }
}

static struct made_op lock_message(enum call call, rank_t target)
{
    return (struct made_op){.op = {.kind = OP_SEND,
                                   .call = (uint16_t)call,
                                   .context = KEEPER_CONTEXT,
                                   .peer = window_lock_keeper(PLACES, SLOT, target),
                                   .tag = call == CALL_Win_lock ? WINDOW_EXCLUSIVE : WINDOW_SHARED}};
}

/*
 * Rank 0 has had the lock of rank 1 before rank 1 itself, so rank 1 knows of it from the first flush on by which it hears from there, and of what was heard
 * after that it learns nothing.  When it asks for the lock once more, what it knows is looked at again, also by what was told before.
 */
static void held_lock_is_learned_once(void **unused)
{
    enum { FIRST_FLUSH = 3, ASKS_AGAIN = 8, LAST_FLUSH = 9, SEGMENTS = 3 };
    rank_t lock = window_lock_keeper(PLACES, SLOT, 1);
    struct made_op first[] = {opened(), lock_message(CALL_Win_lock, 1), lock_message(CALL_Win_unlock, 1), lock_message(CALL_Win_lock, 1),
                              lock_message(CALL_Win_unlock, 1)};
    struct made_op second[] = {opened(),   lock_message(CALL_Win_lock, 1), done_of(0), event_of(WINDOW_FLUSHED, 1), done_of(0), event_of(WINDOW_FLUSHED, 1),
                               done_of(0), lock_message(CALL_Win_unlock, 1), lock_message(CALL_Win_lock, 1), event_of(WINDOW_FLUSHED, 1)};
    const struct pairing taken[] = {{.send = {0, 1}, .recv = {lock, 0}, .made = true}, {.send = {0, 2}, .recv = {lock, 0}, .made = true},
                                    {.send = {1, 1}, .recv = {lock, 0}, .made = true}, {.send = {1, 7}, .recv = {lock, 0}, .made = true},
                                    {.send = {0, 3}, .recv = {lock, 0}, .made = true}, {.send = {0, 4}, .recv = {lock, 0}, .made = true},
                                    {.send = {1, ASKS_AGAIN}, .recv = {lock, 0}, .made = true}};
    struct told_ops told = {{first, second}, {5, 10}};
    (void)unused;
    struct window_clocks clocks = follow_two(&told, taken, 7);
    assert_int_equal(clocks.rank[1].segment.n, SEGMENTS);
    assert_int_equal(known_at(&clocks, 1, FIRST_FLUSH - 1, 0), 0);
    for (uint32_t n = FIRST_FLUSH; n <= ASKS_AGAIN; n++)
        assert_int_equal(known_at(&clocks, 1, n, 0), 3);
    assert_int_equal(known_at(&clocks, 1, LAST_FLUSH, 0), 5);
    window_clocks_release(&clocks);
}

static struct made_op shared_lock(rank_t target)
{
    struct made_op op = lock_message(CALL_Win_lock, target);
    op.op.tag = WINDOW_SHARED;
    return op;
}

/*
 * Rank 0 has found what rank 1 has left under its own shared lock, and gives its lock back.  That stands before the lock of rank 1 in the list: who
 * took a lock itself is read of when it is its turn.
 */
static void shared_locks_do_not_wait_for_each_other(void **unused)
{
    rank_t lock = window_lock_keeper(PLACES, SLOT, 1), memory = window_memory_keeper(PLACES, SLOT, 1);
    struct made_op first[] = {opened(),   shared_lock(1), use_of(WINDOW_FETCH, WINDOW_BY_LOCK, 1), done_of(3), event_of(WINDOW_FLUSHED, 1),
                              lock_message(CALL_Win_unlock, 1)};
    struct made_op second[] = {opened(),   shared_lock(1), use_of(WINDOW_FETCH, WINDOW_BY_LOCK, 1), done_of(1), event_of(WINDOW_FLUSHED, 1),
                               use_of(WINDOW_FETCH, WINDOW_BY_LOCK, 1), done_of(2), event_of(WINDOW_FLUSHED, 1)};
    const struct pairing taken[] = {{.send = {0, 1}, .recv = {lock, 0}, .made = true},   {.send = {0, 5}, .recv = {lock, 0}, .made = true},
                                    {.send = {1, 1}, .recv = {lock, 0}, .made = true},   {.send = {1, 3}, .recv = {memory, 0}, .made = true},
                                    {.send = {1, 6}, .recv = {memory, 0}, .made = true}, {.send = {0, 3}, .recv = {memory, 0}, .made = true}};
    struct told_ops told = {{first, second}, {6, 8}};
    (void)unused;
    struct window_clocks clocks = follow_two(&told, taken, 6);
    assert_int_equal(known_at(&clocks, 0, 4, 1), 6); /* up to the second fetch */
    assert_int_equal(known_at(&clocks, 1, 7, 0), 0);
    window_clocks_release(&clocks);
}

/* An access of a fence epoch knows what its target did before the fence that begins it, though that waits for nobody. */
static void fence_ends_and_begins(void **unused)
{
    (void)unused;
    for (int late = 0; late < 2; late++) {
        struct window_clocks clocks = new_clocks();
        struct made_op store = use_of(WINDOW_PUT, WINDOW_BY_ITSELF, 0);
        struct made_op first[] = {opened(), late ? fence_of(5) : store, late ? store : fence_of(5), event_of(WINDOW_FENCED, RANK_ANY)};
        struct made_op second[] = {opened(), fence_of(5), use_of(WINDOW_PUT, WINDOW_BY_FENCE, 0)};
        make_rank(&clocks, 0, first, (const uint32_t[]){0, 0, 0, 0}, 4);
        make_rank(&clocks, 1, second, (const uint32_t[]){0, 0, 0}, 3);
        first[late ? 2 : 1].use.passive = late;
        expect_order(&clocks, NULL, !late);
    }
}

/* ---- loads and stores of the program ---- */

static const struct local_touch made_touch = {.before = 0, .slot = SLOT, .owner = 0, .stores = true, .piece = {0, 4}, .place = 1};

static size_t tell_touches(void *data, node_id node, const struct local_touch **at)
{
    *at = &made_touch;
    return node == *(const node_id *)data;
}

static bool have_looked(void *data, node_id node)
{
    (void)data;
    (void)node;
    return true;
}

/* Where they are known, a difference is not looked at: here it is there twice and counts once. */
static void touches_stand_for_differences(void **unused)
{
    (void)unused;
    for (node_id node = 2; node <= 3; node++) {
        struct window_clocks clocks = new_clocks();
        struct local_touches touches = {tell_touches, have_looked, &node, false, NULL};
        struct made_op first[] = {opened(), event_of(WINDOW_SYNCED, RANK_ANY), use_of(WINDOW_PUT, WINDOW_BY_ITSELF, 0)};
        struct made_op second[] = {opened(), use_of(WINDOW_GET, WINDOW_BY_LOCK, 0)};
        make_rank(&clocks, 0, first, (const uint32_t[]){0, 0, 0}, 3);
        make_rank(&clocks, 1, second, (const uint32_t[]){0, 2}, 2);
        expect_order(&clocks, &touches, node == 2); /* before the operation with number 1, of which is known */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_finds_what_overlaps),
        cmocka_unit_test(kinds_conflict_as_the_standard_says),
        cmocka_unit_test(accumulates_must_be_alike),
        cmocka_unit_test(flush_must_be_known),
        cmocka_unit_test(flush_must_be_the_right_one),
        cmocka_unit_test(own_results_are_heard_at_the_flush),
        cmocka_unit_test(held_lock_is_learned_once),
        cmocka_unit_test(shared_locks_do_not_wait_for_each_other),
        cmocka_unit_test(fence_ends_and_begins),
        cmocka_unit_test(touches_stand_for_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
