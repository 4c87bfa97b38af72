#include "explore/debts.h"

#include <string.h>

#include "base/hash.h"
#include "base/invariant.h"
#include "base/mem.h"

/* Of one operation; those of smaller and greater ones hang below. */
struct debts {
    uint32_t holds;
    uint32_t n;
    struct debts *left, *right;
    struct map_key sum; /* with those below */
    struct debt debt[];
};

struct debts *debts_hold(struct debts *set)
{
    if (set)
        set->holds++;
    return set;
}

void debts_release(struct debts *set)
{
    if (!set || --set->holds)
        return;
    debts_release(set->left);
    debts_release(set->right);
    free(set);
}

struct map_key debts_key(const struct debts *set)
{
    return set ? set->sum : (struct map_key){0};
}

static void add_half(struct debts *set, const struct debts *below)
{
    if (!below)
        return;
    set->sum.high += below->sum.high;
    set->sum.low += below->sum.low;
}

/* Takes the two over. */
static struct debts *make_debts(const struct debt *debt, uint32_t n, struct debts *left, struct debts *right)
{
    struct debts *set = xcalloc(1, sizeof *set + n * sizeof *debt);
    struct map_key own = HASH_START;

    set->holds = 1;
    set->n = n;
    set->left = left;
    set->right = right;
    memcpy(set->debt, debt, n * sizeof *debt);
    hash_stir(&own, debt->op);
    for (uint32_t i = 0; i < n; i++)
        hash_stir(&own, debt[i].choice);
    hash_add(&set->sum, own);
    add_half(set, left);
    add_half(set, right);
    return set;
}

/* Who stands above whom: any order will do that has nothing to do with the numbers. */
static uint64_t height(const struct debts *set)
{
    struct map_key key = HASH_START;

    hash_stir(&key, set->debt->op);
    return key.high;
}

/* The same debts above others, which it takes over. */
static struct debts *above(const struct debts *set, struct debts *left, struct debts *right)
{
    return make_debts(set->debt, set->n, left, right);
}

/* Puts a set that was changed back above its halves, of which one may now be too high.  Takes them over. */
static struct debts *join_halves(const struct debts *set, struct debts *left, struct debts *right)
{
    struct debts *top;

    if (left && height(left) > height(set)) {
        top = above(left, debts_hold(left->left), above(set, debts_hold(left->right), right));
        debts_release(left);
    } else if (right && height(right) > height(set)) {
        top = above(right, above(set, left, debts_hold(right->left)), debts_hold(right->right));
        debts_release(right);
    } else {
        top = above(set, left, right);
    }
    return top;
}

static struct debts *with_one_more(const struct debts *set, struct debt debt)
{
    struct debt *all = xcalloc(set->n + 1, sizeof *all);
    struct debts *more;

    memcpy(all, set->debt, set->n * sizeof *all);
    all[set->n] = debt;
    more = make_debts(all, set->n + 1, debts_hold(set->left), debts_hold(set->right));
    free(all);
    return more;
}

static struct debts *added(const struct debts *set, struct debt debt)
{
    if (!set)
        return make_debts(&debt, 1, NULL, NULL);
    if (debt.op == set->debt->op)
        return with_one_more(set, debt);
    if (debt.op < set->debt->op)
        return join_halves(set, added(set->left, debt), debts_hold(set->right));
    return join_halves(set, debts_hold(set->left), added(set->right, debt));
}

/* All of `left` are smaller. */
static struct debts *merged(struct debts *left, struct debts *right)
{
    if (!left || !right)
        return debts_hold(left ? left : right);
    if (height(left) > height(right))
        return above(left, debts_hold(left->left), merged(left->right, right));
    return above(right, merged(left, right->left), debts_hold(right->right));
}

static struct debts *with_one_less(const struct debts *set, uint32_t at)
{
    struct debt *all = xcalloc(set->n, sizeof *all);
    struct debts *less;

    memcpy(all, set->debt, at * sizeof *all);
    memcpy(all + at, set->debt + at + 1, (set->n - at - 1) * sizeof *all);
    less = make_debts(all, set->n - 1, debts_hold(set->left), debts_hold(set->right));
    free(all);
    return less;
}

/* The first of the operation that is not before this turn. */
static struct debts *struck(struct debts *set, uint32_t op, uint32_t turn)
{
    uint32_t at = 0;

    if (!set)
        return NULL;
    if (op < set->debt->op)
        return above(set, struck(set->left, op, turn), debts_hold(set->right));
    if (op > set->debt->op)
        return above(set, debts_hold(set->left), struck(set->right, op, turn));
    while (at + 1 < set->n && set->debt[at].turn < turn)
        at++;
    return set->n > 1 ? with_one_less(set, at) : merged(set->left, set->right);
}

struct debts *debts_add(struct debts *set, struct debt debt)
{
    struct debts *more = added(set, debt);

    debts_release(set);
    return more;
}

struct debts *debts_strike(struct debts *set, uint32_t op, uint32_t turn)
{
    struct debts *less = struck(set, op, turn);

    debts_release(set);
    return less;
}

const struct debt *debts_of(const struct debts *set, uint32_t op)
{
    while (set && set->debt->op != op)
        set = op < set->debt->op ? set->left : set->right;
    return set ? set->debt : NULL;
}

bool debts_any(const struct debts *set, bool (*ask)(const struct debt *, void *data), void *data)
{
    if (!set)
        return false;
    if (debts_any(set->left, ask, data))
        return true;
    for (uint32_t i = 0; i < set->n; i++)
        if (ask(&set->debt[i], data))
            return true;
    return debts_any(set->right, ask, data);
}

static struct map_key sum_of_debts(const struct debts *set)
{
    struct debts *alone = make_debts(set->debt, set->n, NULL, NULL);
    struct map_key sum;

    add_half(alone, set->left);
    add_half(alone, set->right);
    sum = alone->sum;
    debts_release(alone);
    return sum;
}

/* Those of operations from `low` up to, but not, `high`. */
static void check_between(const struct debts *set, uint64_t low, uint64_t high)
{
    struct map_key sum;

    if (!set)
        return;
    INVARIANT(set->holds > 0 && set->n > 0, "debts are kept that nobody holds");
    for (uint32_t i = 0; i < set->n; i++)
        INVARIANT(set->debt[i].op == set->debt->op && (i == 0 || set->debt[i - 1].turn < set->debt[i].turn),
                  "debts of operation %u are not in their order", set->debt->op);
    INVARIANT(set->debt->op >= low && set->debt->op < high, "debts of operation %u are not where they are looked for",
              set->debt->op);
    INVARIANT((!set->left || height(set->left) <= height(set)) && (!set->right || height(set->right) <= height(set)),
              "debts of operation %u hang below lower ones", set->debt->op);
    sum = sum_of_debts(set);
    INVARIANT(map_key_is_same(sum, set->sum), "debts add up to another sum than they say");
    check_between(set->left, low, set->debt->op);
    check_between(set->right, (uint64_t)set->debt->op + 1, high);
}

void debts_check_invariants(const struct debts *set)
{
    check_between(set, 0, UINT64_MAX);
}
