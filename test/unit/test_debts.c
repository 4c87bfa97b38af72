/* Sets of debts against a plain list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "explore/debts.h"

typedef VEC(struct debt) list_t;

struct seen {
    const list_t *list;
    size_t n;
    uint32_t last;
};

static bool is_listed(const struct debt *debt, void *data)
{
    struct seen *seen = data;
    bool found = false;

    assert_true(debt->op >= seen->last);
    seen->last = debt->op;
    seen->n++;
    for (size_t i = 0; i < seen->list->n; i++)
        found = found || (seen->list->at[i].op == debt->op && seen->list->at[i].turn == debt->turn &&
                          seen->list->at[i].choice == debt->choice);
    assert_true(found);
    return false;
}

static void assert_same(const struct debts *set, const list_t *list)
{
    struct seen seen = {.list = list};

    debts_any(set, is_listed, &seen);
    assert_int_equal(seen.n, list->n);
}

/* Strikes out the first of an operation, if there is one. */
static void strike(list_t *list, uint32_t op)
{
    size_t i = 0;

    while (i < list->n && list->at[i].op != op)
        i++;
    if (i == list->n)
        return;
    for (list->n--; i < list->n; i++)
        list->at[i] = list->at[i + 1];
}

/* One of several of an operation that is not the first. */
static void test_strike_within(void **state)
{
    struct debts *set = NULL, *other = NULL;

    (void)state;
    for (uint32_t turn = 1; turn <= 3; turn++) {
        set = debts_add(set, (struct debt){7, turn, turn});
        if (turn != 2)
            other = debts_add(other, (struct debt){7, turn, turn});
    }
    set = debts_strike(set, 7, 2);
    assert_true(map_key_is_same(debts_key(set), debts_key(other)));
    debts_check_invariants(set);
    set = debts_strike(set, 7, 3);
    assert_int_equal(debts_of(set, 7)->turn, 1);
    debts_release(set);
    debts_release(other);
}

static void test_against_list(void **state)
{
    struct debts *set = NULL, *old = NULL;
    list_t list = {0}, then = {0};

    (void)state;
    srand(1);
    for (uint32_t turn = 0; turn < 3000; turn++) {
        uint32_t op = (uint32_t)rand() % 200;
        if (rand() % 5 < 3) {
            struct debt debt = {op, turn, (uint64_t)rand() % 3};
            set = debts_add(set, debt);
            vec_push(&list, debt);
        } else {
            set = debts_strike(set, op, 0);
            strike(&list, op);
        }
        if (turn == 1500) { /* what is held does not change */
            old = debts_hold(set);
            vec_copy(&then, &list);
        }
        const struct debt *first = debts_of(set, op);
        for (size_t i = 0; first && i < list.n && (list.at[i].op != op || list.at[i].turn != first->turn); i++)
            assert_int_not_equal(list.at[i].op, op);
        if (turn % 100 == 0)
            assert_same(set, &list);
    }
    assert_same(set, &list);
    assert_same(old, &then);
    debts_release(set);
    debts_release(old);
    vec_release(&list);
    vec_release(&then);
}

static struct map_key key_of(const struct debt *debt, size_t n)
{
    struct debts *set = NULL;
    struct map_key key;

    for (size_t i = 0; i < n; i++)
        set = debts_add(set, debt[i]);
    key = debts_key(set);
    debts_release(set);
    return key;
}

static bool same(struct map_key a, struct map_key b)
{
    return a.high == b.high && a.low == b.low;
}

/* The order of operations and the turns do not matter; the order of choices of one does. */
static void test_key(void **state)
{
    struct debt abc[] = {{1, 0, 5}, {2, 1, 6}, {3, 2, 7}}, cab[] = {{3, 4, 7}, {1, 6, 5}, {2, 9, 6}};
    struct debt twice[] = {{1, 0, 5}, {1, 1, 6}}, turned[] = {{1, 0, 6}, {1, 1, 5}};

    (void)state;
    assert_true(same(key_of(abc, 3), key_of(cab, 3)));
    assert_false(same(key_of(abc, 3), key_of(abc, 2)));
    assert_false(same(key_of(twice, 2), key_of(turned, 2)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_list),
        cmocka_unit_test(test_strike_within),
        cmocka_unit_test(test_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
