/* The heap of the gate: blocks do not overlap, the lowest place is taken, and the order of frees leaves no trace. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "call/heap_map.h"
#include "shim/gate/extents.h"
#include "shim/gate/heap.h"
#include "shim/gate/slabs.h"

static uint64_t seed = 1;

static uint32_t below(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}

static void shuffle(uint32_t *at, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = below((uint32_t)i);
        uint32_t other = at[j];
        at[j] = at[i - 1];
        at[i - 1] = other;
    }
}

static void *new_tables(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(at, MAP_FAILED);
    return at;
}

/* ---- slabs ---- */

static void every_size_has_a_class(void **state)
{
    (void)state;
    for (size_t size = 0; size <= SLABS_LARGEST; size++) {
        uint32_t class = slabs_class(size);
        size_t room = slabs_class_size(class);
        assert_true(room >= size && room % 16 == 0);
        assert_true(class == 0 || slabs_class_size(class - 1) < size);
        assert_true(room <= 128 || room * 4 <= size * 5 + 4);
        if (size && (size & (size - 1)) == 0 && size >= 16)
            assert_int_equal(room, size); /* on which alignment relies */
    }
}

/* The first free block in a slab of which something is in use; there is none: the first block of a slab. */
static uint32_t lowest_of_eight(const bool *used, uint32_t blocks)
{
    for (uint32_t slab = 0; slab < blocks / 8; slab++) {
        uint32_t count = 0, lowest = 8;
        for (uint32_t i = 8; i-- > 0;) {
            count += used[8 * slab + i];
            lowest = used[8 * slab + i] ? lowest : i;
        }
        if (count && lowest < 8)
            return 8 * slab + lowest;
    }
    for (uint32_t slab = 0;; slab++)
        if (!used[8 * slab])
            return 8 * slab;
}

static void slabs_give_out_the_lowest(void **state)
{
    (void)state;
    enum { BLOCKS = 6000, CLASS = 27 }; /* of 4096 bytes: eight in a slab */
    struct slabs *slabs = new_tables(slabs_bytes());
    bool *used = calloc(BLOCKS, sizeof *used);
    uint32_t count = 0;
    assert_int_equal(slabs_class_size(CLASS), 4096);
    for (int i = 0; i < 40000; i++) {
        bool grows = count < BLOCKS / 2 && (count == 0 || below(100) < 60);
        if (grows) {
            struct slab_block block = slabs_take(slabs, CLASS);
            uint32_t number = block.slab * 8 + block.slot;
            assert_int_equal(number, lowest_of_eight(used, BLOCKS));
            used[number] = true;
            count++;
        } else {
            uint32_t number = below(BLOCKS);
            while (!used[number])
                number = (number + 1) % BLOCKS;
            struct slab_block found;
            assert_true(slabs_find(slabs, (uint64_t)number * 4096, &found));
            slabs_give(slabs, found);
            assert_false(slabs_find(slabs, (uint64_t)number * 4096, &found));
            used[number] = false;
            count--;
        }
    }
    free(used);
    munmap(slabs, slabs_bytes());
}

/* By any pattern blocks are apart, are found where they are, and with all bits set two that lie together have changed places. */
static void patterns_change_places(void **state)
{
    (void)state;
    static const uint32_t patterns[] = {0, 1, 21, 42, 63};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        for (uint32_t class = 0; class < 32; class++) {
            enum { BLOCKS = 2000 };
            struct slabs *slabs = new_tables(slabs_bytes());
            slabs_scatter(slabs, patterns[i]);
            uint64_t before = 0;
            for (int n = 0; n < BLOCKS; n++) {
                struct slab_block found, block = slabs_take(slabs, class);
                uint64_t at = slabs_offset(slabs, block);
                assert_true(slabs_find(slabs, at, &found));
                assert_int_equal(found.slab, block.slab);
                assert_int_equal(found.slot, block.slot);
                if (n == 1)
                    assert_true(patterns[i] == 63 ? at < before : patterns[i] > 0 || at > before);
                before = at;
            }
            munmap(slabs, slabs_bytes());
        }
}

/* Takes the same blocks of many classes and gives back the same ones of them, in an order of its own. */
static struct slabs *fill_slabs(size_t given)
{
    enum { BLOCKS = 20000 };
    struct slabs *slabs = new_tables(slabs_bytes());
    struct slab_block *block = calloc(BLOCKS, sizeof *block);
    uint32_t *order = calloc(given, sizeof *order);
    uint64_t before = seed;
    seed = 7;
    for (uint32_t i = 0; i < BLOCKS; i++)
        block[i] = slabs_take(slabs, below(32));
    seed = before;
    for (uint32_t i = 0; i < given; i++)
        order[i] = i;
    shuffle(order, given);
    for (size_t i = 0; i < given; i++)
        slabs_give(slabs, block[order[i]]);
    free(order);
    free(block);
    return slabs;
}

static void slabs_forget_the_order_of_frees(void **state)
{
    (void)state;
    static const size_t given[] = {1000, 19990};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        struct slabs *a = fill_slabs(given[i]), *b = fill_slabs(given[i]);
        assert_memory_equal(a, b, slabs_bytes());
        munmap(a, slabs_bytes());
        munmap(b, slabs_bytes());
    }
    struct slabs *none = fill_slabs(20000), *fresh = new_tables(slabs_bytes());
    assert_memory_equal(none, fresh, slabs_bytes());
    munmap(none, slabs_bytes());
    munmap(fresh, slabs_bytes());
}

/* ---- extents ---- */

enum { PAGES = 3000 };

static uint32_t first_fit(const bool *taken, uint32_t pages, uint32_t alignment)
{
    uint32_t spare = alignment - 1, row = 0;
    for (uint32_t at = 0;; at++) {
        row = at < PAGES && taken[at] ? 0 : row + 1;
        if (row == pages + spare)
            return (at + 1 - row + spare) & ~spare;
    }
}

/* Beside a naive list of pages: what is taken, grows, shrinks and goes is where it should be. */
static void extents_are_the_first_that_fit(void **state)
{
    (void)state;
    struct extents *extents = new_tables(extents_bytes()), *fresh = new_tables(extents_bytes());
    static bool taken[2 * PAGES];
    uint32_t live[PAGES], lives = 0;
    for (int i = 0; i < 30000; i++) {
        uint32_t pages = below(10) ? 1 + below(20) : 1 + below(300), alignment = below(20) ? 1 : 1u << below(6);
        uint32_t at = first_fit(taken, pages, alignment), one = lives ? below(lives) : 0, was, most = 0;
        if (at + pages < PAGES && below(100) < 55) {
            assert_int_equal(extents_take(extents, pages, alignment), at);
            assert_int_equal(extents_length(extents, at), pages);
            memset(taken + at, true, pages);
            live[lives++] = at;
        } else if (lives && below(3) == 0) {
            was = extents_length(extents, live[one]);
            while (most < pages && !taken[live[one] + was + most])
                most++;
            bool fits = pages <= was || was + most >= pages;
            if (live[one] + pages >= PAGES)
                continue;
            assert_int_equal(extents_fit(extents, live[one], pages), fits ? 0 : -1);
            if (fits) {
                memset(taken + live[one], false, was);
                memset(taken + live[one], true, pages);
            }
        } else if (lives) {
            memset(taken + live[one], false, extents_length(extents, live[one]));
            extents_give(extents, live[one]);
            assert_int_equal(extents_length(extents, live[one]), 0);
            live[one] = live[--lives];
        }
    }
    while (lives)
        extents_give(extents, live[--lives]);
    assert_memory_equal(extents, fresh, extents_bytes());
    assert_int_equal(extents_take(extents, EXTENT_PAGES, 1), 0);
    assert_int_equal(extents_take(extents, 1, 1), EXTENT_PAGES);
    extents_give(extents, 0);
    assert_int_equal(extents_take(extents, EXTENT_PAGES + 1, 1), EXTENT_PAGES);
    munmap(extents, extents_bytes());
    munmap(fresh, extents_bytes());
}

/* ---- all together ---- */

struct block {
    unsigned char *at, mark;
    size_t size;
};

static bool has_only(const unsigned char *at, size_t size, unsigned char value)
{
    return size == 0 || (at[0] == value && memcmp(at, at + 1, size - 1) == 0);
}

static struct block take(size_t size, size_t alignment)
{
    struct block block = {heap_take(size, alignment), (unsigned char)(1 + below(255)), size};
    assert_non_null(block.at);
    assert_int_equal((uintptr_t)block.at % alignment, 0);
    assert_true(heap_holds(block.at) && heap_room(block.at) >= size);
    assert_true(has_only(block.at, heap_room(block.at), 0));
    memset(block.at, block.mark, size);
    return block;
}

static void give(struct block *block)
{
    assert_true(has_only(block->at, block->size, block->mark));
    size_t room = heap_room(block->at);
    heap_give(block->at);
    assert_true(has_only(block->at, room, 0));
}

static size_t some_size(void)
{
    static const uint32_t most[] = {64, 1024, 20000, 20000, 3 << 20};
    uint32_t which = below(100);
    return below(most[which < 60 ? 0 : which < 85 ? 1 : which < 99 ? 2 : 4]);
}

static void resize(struct block *block)
{
    size_t size = 1 + some_size();
    if (!heap_fit(block->at, size))
        return;
    assert_true(heap_room(block->at) >= size);
    assert_true(has_only(block->at, size < block->size ? size : block->size, block->mark));
    for (size_t i = size < block->size ? size : block->size; i < heap_room(block->at); i++)
        assert_int_equal(block->at[i], 0);
    memset(block->at, block->mark, size);
    block->size = size;
}

static void *use_heap(void *unused)
{
    enum { BLOCKS = 300 };
    struct block block[BLOCKS] = {{0}};
    (void)unused;
    for (int i = 0; i < 8000; i++) {
        struct block *one = &block[below(BLOCKS)];
        if (!one->at)
            *one = take(some_size(), below(8) ? 16 : (size_t)16 << below(12));
        else if (below(4) == 0)
            resize(one);
        else {
            give(one);
            one->at = NULL;
        }
    }
    for (int i = 0; i < BLOCKS; i++)
        if (block[i].at)
            give(&block[i]);
    return NULL;
}

static void blocks_are_apart_and_zero(void **state)
{
    (void)state;
    use_heap(NULL);
    struct block first = take(1, 16);
    assert_int_equal((uintptr_t)first.at, HEAP_MAP_START);
    give(&first);
}

/* Who frees something in one order or another gets the same memory from then on. */
static void the_next_block_is_where_it_was(void **state)
{
    (void)state;
    enum { BLOCKS = 500 };
    void *next[2][BLOCKS];
    for (int time = 0; time < 2; time++) {
        struct block block[BLOCKS];
        uint32_t order[BLOCKS];
        for (uint32_t i = 0; i < BLOCKS; i++) {
            block[i] = take(i * i % 9000, 16);
            order[i] = i;
        }
        shuffle(order, BLOCKS);
        for (int i = 0; i < BLOCKS; i++)
            if (order[i] % 3)
                give(&block[order[i]]);
        for (int i = 0; i < BLOCKS; i++)
            next[time][i] = heap_take((size_t)i * 7 % 9000, 16);
        for (int i = 0; i < BLOCKS; i++) {
            heap_give(next[time][i]);
            if (i % 3 == 0)
                give(&block[i]);
        }
    }
    assert_memory_equal(next[0], next[1], sizeof next[0]);
}

static int signal_of(void (*act)(char *), char *block)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        act(block);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void free_once(char *block)
{
    heap_give(block);
}

static void free_twice(char *block)
{
    heap_give(block);
    heap_give(block);
}

static void free_inside(char *block)
{
    heap_give(block + 16);
}

static void what_is_no_block_cannot_be_freed(void **state)
{
    (void)state;
    static const size_t size[] = {1, 48, 8192, 8193, 3 << 20};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        struct block block = take(size[i], 16);
        assert_int_equal(signal_of(free_once, (char *)block.at), 0);
        assert_int_equal(signal_of(free_twice, (char *)block.at), SIGABRT);
        assert_int_equal(signal_of(free_inside, (char *)block.at), SIGABRT);
        give(&block);
    }
}

static void *churn(void *number)
{
    unsigned char mark = (unsigned char)(uintptr_t)number;
    unsigned char *block[64] = {0};
    for (uint32_t i = 0; i < 200000; i++) {
        uint32_t which = (i * 2654435761u >> 7) % 64, size = 1 + (i * 40503u >> 3) % 300;
        if (block[which]) {
            for (int at = 0; at < 1; at++)
                if (block[which][at] != mark)
                    return "a block was somebody else's";
            heap_give(block[which]);
        }
        block[which] = heap_take(size, 16);
        memset(block[which], mark, size);
    }
    for (int i = 0; i < 64; i++)
        if (block[i])
            heap_give(block[i]);
    return NULL;
}

static void threads_take_turns(void **state)
{
    (void)state;
    pthread_t thread[4];
    void *wrong;
    for (uintptr_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, churn, (void *)(i + 1)), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(thread[i], &wrong), 0);
        assert_null(wrong);
    }
    struct block first = take(1, 16);
    assert_int_equal((uintptr_t)first.at, HEAP_MAP_START);
    give(&first);
}

/* The lock is not held in a process that was forked meanwhile. */
static void a_child_has_the_heap(void **state)
{
    (void)state;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, churn, (void *)1), 0);
    for (int i = 0; i < 50; i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            alarm(10);
            _exit(churn((void *)2) ? 1 : 0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void there_is_an_end_to_it(void **state)
{
    (void)state;
    assert_null(heap_take((size_t)1 << 37, 16));
    assert_null(heap_take(SIZE_MAX, 16));
    assert_null(heap_take(1, (size_t)1 << 62));
    assert_false(heap_holds(NULL));
    assert_false(heap_holds(&seed));
    assert_null(heap_take(1, (size_t)1 << 30));
    struct block block = take(1, (size_t)1 << 28);
    assert_false(heap_fit(block.at, SIZE_MAX));
    give(&block);
}

/* What is in use stays where it is and can be given back; nothing is put beside it or in its place. */
static void what_comes_later_is_apart(void **state)
{
    (void)state;
    enum { PAGE = 4096, BLOCKS = 200 };
    struct block early[BLOCKS], late[2 * BLOCKS];
    for (size_t i = 0; i < BLOCKS; i++)
        early[i] = take(i * 7, 16);
    give(&early[5]);
    struct gate_heap heap = tourney_heap_begin_anew();
    assert_int_equal(heap.start, HEAP_MAP_START);
    assert_int_equal(heap.fresh % PAGE, 0);
    for (size_t i = 0; i < BLOCKS; i++)
        late[i] = take(i * 7, 16);
    for (size_t i = 0; i < BLOCKS; i++) {
        assert_true((uintptr_t)early[i].at < heap.fresh);
        if (i != 5)
            give(&early[i]);
    }
    for (size_t i = BLOCKS; i < 2 * BLOCKS; i++)
        late[i] = take(i * 7, 16);
    for (size_t i = 0; i < 2 * BLOCKS; i++) {
        assert_true((uintptr_t)late[i].at >= heap.fresh && (uintptr_t)late[i].at < heap.end);
        give(&late[i]);
    }
    struct block first = take(1, 16);
    assert_int_equal((uintptr_t)first.at, heap.fresh);
    give(&first);
}

int main(void)
{
    if (!heap_open(false, (struct heap_layout){0}))
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_has_a_class),
        cmocka_unit_test(slabs_give_out_the_lowest),
        cmocka_unit_test(patterns_change_places),
        cmocka_unit_test(slabs_forget_the_order_of_frees),
        cmocka_unit_test(extents_are_the_first_that_fit),
        cmocka_unit_test(blocks_are_apart_and_zero),
        cmocka_unit_test(the_next_block_is_where_it_was),
        cmocka_unit_test(what_is_no_block_cannot_be_freed),
        cmocka_unit_test(threads_take_turns),
        cmocka_unit_test(a_child_has_the_heap),
        cmocka_unit_test(there_is_an_end_to_it),
        cmocka_unit_test(what_comes_later_is_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
