/* Vectors, pools, maps and what lies on disk, against the plainest thing that could do the same; and what BUG() says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/bug_context.h"
#include "base/bulk.h"
#include "base/die.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/shared_pool.h"

static void vectors(void **state)
{
    VEC(int) a = {0}, b;
    const int *before;
    (void)state;

    for (int i = 0; i < 1000; i++)
        vec_push(&a, i * i);
    vec_copy(&b, &a);
    assert_int_equal(vec_pop(&a), 999 * 999);
    vec_reserve(&a, 5000);
    assert_true(a.cap >= 5999);
    for (int i = 0; i < 999; i++)
        assert_true(a.at[i] == i * i && b.at[i] == i * i);
    assert_int_equal(vec_last(&b), 999 * 999);
    vec_assign(&b, &a);
    assert_int_equal(b.n, 999);
    vec_clear(&a);
    vec_push(&a, 7);
    before = b.at;
    vec_assign(&b, &a);
    assert_ptr_equal(b.at, before);
    assert_true(b.n == 1 && b.at[0] == 7 && b.cap >= 999);
    vec_clear(&b);
    vec_push(&b, 1);
    assert_int_equal(b.n, 1);
    vec_release(&a);
    assert_null(a.at);
    vec_release(&b);
}

static void pools(void **state)
{
    struct thing {
        uint32_t next;
        int value;
    };
    POOL(struct thing) pool = {0}, copy = {0};
    uint32_t index[100];
    (void)state;

    for (int i = 0; i < 100; i++) {
        index[i] = pool_take(&pool);
        assert_int_not_equal(index[i], 0);
        assert_int_equal(pool.at[index[i]].value, 0);
        pool.at[index[i]].value = i;
    }
    for (int i = 0; i < 100; i += 2)
        pool_give(&pool, index[i]);
    assert_int_equal(pool.used, 50);
    pool_assign(&copy, &pool);
    for (int i = 0; i < 100; i += 2)
        assert_int_equal(copy.at[pool_take(&copy)].value, 0);
    for (int i = 1; i < 100; i += 2)
        assert_int_equal(copy.at[index[i]].value, i);
    assert_int_equal(copy.n, pool.n);
    pool_release(&copy);
    pool_release(&pool);
}

/* A shared pool, and what should be in it: by index, or -1 if it is not taken. */
struct shared_thing {
    uint32_t next;
    int value;
};

enum { MOST_SHARED = 200, SHARERS = 8, SHARED_STEPS = 20000 };

struct sharer {
    struct shared_pool pool;
    int value[MOST_SHARED];
};

static int value_shared(const struct sharer *sharer, uint32_t i)
{
    const struct shared_thing *thing = shared_pool_at(&sharer->pool, i, sizeof *thing);

    return thing->value;
}

static void change_shared(struct sharer *sharer, uint32_t i, int value)
{
    struct shared_thing *thing = shared_pool_change(&sharer->pool, i, sizeof *thing);

    thing->value = sharer->value[i] = value;
}

static void take_or_give_shared(struct sharer *sharer, uint32_t i, int value)
{
    uint32_t taken;

    if (i < sharer->pool.n && sharer->value[i] >= 0) {
        shared_pool_give(&sharer->pool, i, sizeof(struct shared_thing));
        sharer->value[i] = -1;
        return;
    }
    taken = shared_pool_take(&sharer->pool, sizeof(struct shared_thing));
    if (taken == 0 || taken >= MOST_SHARED)
        fail_msg("index %u", taken);
    assert_int_equal(sharer->value[taken], -1);
    assert_int_equal(value_shared(sharer, taken), 0);
    change_shared(sharer, taken, value);
}

static void check_shared(const struct sharer *sharer)
{
    uint32_t used = 0;

    for (uint32_t i = 1; i < sharer->pool.n; i++) {
        assert_true(sharer->value[i] < 0 || value_shared(sharer, i) == sharer->value[i]);
        used += sharer->value[i] >= 0;
    }
    assert_int_equal(used, sharer->pool.used);
}

static uint32_t pieces_in_common(const struct sharer *a, const struct sharer *b)
{
    uint32_t n = 0;

    for (size_t i = 0; i < a->pool.piece.n && i < b->pool.piece.n; i++)
        n += a->pool.piece.at[i] == b->pool.piece.at[i];
    return n;
}

static void shared_pools(void **state)
{
    struct sharer all[SHARERS] = {0};
    uint64_t random = 1;
    (void)state;

    for (int i = 0; i < SHARERS; i++)
        memset(all[i].value, -1, sizeof all[i].value);
    for (int step = 0; step < SHARED_STEPS; step++) {
        struct sharer *one, *other;
        uint32_t i;

        random = random * 6364136223846793005 + 1442695040888963407;
        one = &all[random >> 33 & (SHARERS - 1)];
        other = &all[random >> 37 & (SHARERS - 1)];
        i = 1 + (uint32_t)(random >> 41) % (MOST_SHARED - 1);
        if (random >> 60 == 0 && one != other) {
            memcpy(one->value, other->value, sizeof one->value);
            shared_pool_assign(&one->pool, &other->pool);
            assert_int_equal(pieces_in_common(one, other), one->pool.piece.n);
        } else if (random >> 59 & 1 && i < one->pool.n && one->value[i] >= 0) {
            change_shared(one, i, step);
        } else if (one->pool.used + 1 < MOST_SHARED - 1) {
            take_or_give_shared(one, i, step);
        }
        check_shared(one);
        check_shared(other);
    }
    for (int i = 0; i < SHARERS; i++) {
        check_shared(&all[i]);
        shared_pool_release(&all[i].pool);
    }
}

/* What is not changed is in memory once. */
static void shared_pools_share(void **state)
{
    struct sharer a = {0}, b = {0};
    (void)state;

    for (int i = 1; i < MOST_SHARED; i++)
        shared_pool_take(&a.pool, sizeof(struct shared_thing));
    shared_pool_assign(&b.pool, &a.pool);
    change_shared(&b, 1, 5);
    change_shared(&b, 2, 6);
    assert_int_equal(pieces_in_common(&a, &b), a.pool.piece.n - 1);
    assert_int_equal(value_shared(&a, 1), 0);
    assert_int_equal(value_shared(&b, 1), 5);
    shared_pool_release(&a.pool);
    assert_int_equal(value_shared(&b, 2), 6);
    shared_pool_release(&b.pool);
}

enum { KEYS = 512 };

/* Neighbouring keys, high halves that differ in one bit only: what our users have. */
static struct map_key key(int i)
{
    return map_key2((uint64_t)(i % 8) << 32, (uint64_t)(i / 8));
}

static void maps(void **state)
{
    struct map map = {0}, other = {0}, copy;
    uint32_t want[KEYS] = {0}, value, most = 0;
    uint64_t rng = 1;
    (void)state;

    assert_false(map_remove(&map, key(0)));
    for (int step = 0; step < 200000; step++) {
        int i;

        rng = rng * 6364136223846793005 + 1442695040888963407;
        i = (int)(rng >> 40) % KEYS;
        if (rng >> 33 & 1 && step / 20000 % 2) {
            assert_int_equal(map_remove(&map, key(i)), want[i] != 0);
            want[i] = 0;
        } else if (rng >> 34 & 1) {
            map_put(&map, key(i), want[i] = (uint32_t)step + 1);
        }
        assert_int_equal(map_find(&map, key(i), 0), want[i]);
        i = (i + 1) % KEYS;
        assert_int_equal(map_get(&map, key(i), &value), want[i] != 0);
        most = map.cap > most ? (uint32_t)map.cap : most;
    }
    map_copy(&copy, &map);
    for (int i = 0; i < KEYS; i++) {
        assert_int_equal(map_find(&map, key(i), 0), want[i]);
        assert_int_equal(map_remove(&map, key(i)), want[i] != 0);
        assert_int_equal(map_find(&copy, key(i), 0), want[i]);
    }
    assert_int_equal(map.n, 0);
    assert_true(map.cap < most); /* what is empty is small */
    map_assign(&map, &copy);
    map_assign(&other, &copy);
    for (int i = 0; i < KEYS; i++) {
        assert_int_equal(map_find(&map, key(i), 0), want[i]);
        assert_int_equal(map_remove(&other, key(i)), want[i] != 0);
    }
    map_assign(&copy, &other);
    for (int i = 0; i < KEYS; i++)
        assert_int_equal(map_find(&copy, key(i), 0), 0);
    map_release(&other);
    map_release(&copy);
    map_release(&map);
}

/* In a directory that is not there, large blocks are plain memory, and all is the same. */
static void bulks(void **state)
{
    enum { MANY = 1000000 };
    (void)state;

    for (int missing = 0; missing < 2; missing++) {
        VEC(uint64_t) v = {0};
        struct hoard hoard = {0};
        uint32_t *piece[100];

        setenv("TMPDIR", missing ? "/nonexistent" : "/tmp", 1);
        for (uint64_t i = 0; i < MANY; i++)
            bulk_push(&v, i * i);
        for (uint64_t i = 0; i < MANY; i++)
            assert_true(v.at[i] == i * i);
        bulk_release(&v);
        assert_null(v.at);
        for (uint32_t i = 0; i < 100; i++) {
            piece[i] = hoard_take(&hoard, (i * i + 1) * sizeof **piece * 100);
            piece[i][0] = piece[i][i * i * 100] = i;
        }
        for (uint32_t i = 0; i < 100; i++)
            assert_true(piece[i][0] == i && piece[i][i * i * 100] == i);
        assert_int_equal(*(int *)hoard_copy(&hoard, &(int){7}, sizeof(int)), 7);
        hoard_release(&hoard);
    }
}

static size_t resident_megabytes(void)
{
    size_t size, all = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%zu %zu", &size, &all), 2);
    fclose(file);
    return all * 4096 >> 20;
}

/* Whoever goes through much of it needs memory for little, while it grows and after; and all is still there. */
static void bulk_is_let_go(void **state)
{
    enum { MANY = 1 << 23 };
    VEC(uint64_t) v = {0};
    struct hoard hoard = {0};
    const uint64_t *first = NULL;
    size_t before = resident_megabytes(), most = before;
    (void)state;

    setenv("TMPDIR", "/tmp", 1);
    for (uint64_t i = 0; i < MANY; i++) {
        const uint64_t *piece = hoard_copy(&hoard, &i, sizeof i);

        first = first ? first : piece;
        bulk_push(&v, i * i);
        bulk_pass();
        if (i % (1 << 16) == 0 && resident_megabytes() > most)
            most = resident_megabytes();
    }
    assert_int_equal(*first, 0);
    for (uint64_t i = 0; i < MANY; i++) {
        assert_true(v.at[i] == i * i);
        bulk_pass();
        if (i % (1 << 16) == 0 && resident_megabytes() > most)
            most = resident_megabytes();
    }
    bulk_release(&v);
    hoard_release(&hoard);
    assert_true(most - before < 32); /* of 128 */
}

static long page_faults(void)
{
    struct rusage usage;

    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_minflt;
}

/* As much as a process has of its own stays: whoever goes through it once more has nothing to wait for. */
static void bulk_stays_beside_own_memory(void **state)
{
    enum { OWN = 48 << 20, MANY = 1 << 22, OF_PAGE = 4096 / sizeof(uint64_t), PAGES = MANY / OF_PAGE };
    VEC(uint64_t) v = {0};
    char *own = malloc(OWN);
    uint64_t sum = 0;
    long before = 0;
    (void)state;

    setenv("TMPDIR", "/tmp", 1);
    assert_non_null(own);
    memset(own, 1, OWN);
    for (uint64_t i = 0; i < MANY; i++) {
        bulk_push(&v, i);
        bulk_pass();
    }
    for (int round = 0; round < 2; round++) {
        before = page_faults();
        for (uint64_t i = 0; i < MANY; i += OF_PAGE) {
            sum += v.at[i] + (uint64_t)own[i];
            bulk_pass();
        }
    }
    assert_true(page_faults() - before < 64); /* 512, if all has come back */
    assert_int_equal(sum, UINT64_C(2) * PAGES + (uint64_t)PAGES * (MANY - OF_PAGE));
    bulk_release(&v);
    free(own);
}

/* ---- BUG() ---- */

/* What a child that ends in BUG() says, cut at the room there is; how much it was. */
static size_t said_by(void (*what)(void), char *said, size_t room)
{
    int status, ends[2];
    size_t all = 0;
    char rest[4096];
    ssize_t n;
    pid_t child;

    fflush(NULL);
    assert_int_equal(pipe(ends), 0);
    child = fork();
    if (!child) {
        dup2(ends[1], STDERR_FILENO);
        what();
        _exit(0);
    }
    close(ends[1]);
    for (; (n = read(ends[0], rest, sizeof rest)) > 0; all += (size_t)n)
        if (all < room - 1)
            memcpy(said + all, rest, (size_t)n < room - 1 - all ? (size_t)n : room - 1 - all);
    said[all < room - 1 ? all : room - 1] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_TOURNEY);
    return all;
}

static void describe_word(const void *word)
{
    bug_say_word(word);
    bug_say("\n");
}

static void describe_at_length(const void *data)
{
    (void)data;
    for (int i = 0; i < 100000; i++)
        bug_say("%0500d\n", i);
}

static void describe_what_is_broken(const void *data)
{
    (void)data;
    bug_say("before\n");
    BUG("this, too");
}

static void fail_within(void)
{
    struct bug_context outer = {.describe = describe_word, .data = "plain/word"};
    struct bug_context inner = {.describe = describe_word, .data = "it's"};
    struct bug_context left = {.describe = describe_word, .data = "left"};

    bug_context_enter(&outer);
    bug_context_enter(&inner);
    bug_context_enter(&left);
    bug_context_leave(&left);
    BUG("number %d", 7);
}

static void fail_at_length(void)
{
    bug_context_enter(&(struct bug_context){.describe = describe_at_length});
    BUG("%0*d", 5000, 7);
}

static void fail_twice(void)
{
    bug_context_enter(&(struct bug_context){.describe = describe_word, .data = "never said"});
    bug_context_enter(&(struct bug_context){.describe = describe_what_is_broken});
    BUG("this");
}

static void bugs(void **state)
{
    char said[1000];
    size_t n;

    (void)state;
    said_by(fail_within, said, sizeof said);
    assert_non_null(strstr(said, ": number 7\n'it'\\''s'\nplain/word\n"));
    assert_null(strstr(said, "left"));
    n = said_by(fail_at_length, said, sizeof said);
    assert_in_range(n, 60000, 1 << 16);
    said_by(fail_twice, said, sizeof said);
    assert_non_null(strstr(said, ": this\nbefore\n"));
    assert_non_null(strstr(said, ": this, too\n"));
    assert_null(strstr(said, "never said"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors),
        cmocka_unit_test(pools),
        cmocka_unit_test(shared_pools),
        cmocka_unit_test(shared_pools_share),
        cmocka_unit_test(maps),
        cmocka_unit_test(bulks),
        cmocka_unit_test(bulk_is_let_go),
        cmocka_unit_test(bulk_stays_beside_own_memory),
        cmocka_unit_test(bugs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
