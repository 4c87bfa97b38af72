#include "check/access_conflict.h"

/* By enum race_access_kind; ATOMIC with ATOMIC is looked at below. */
static const bool conflicts[5][5] = {
    [RACE_PUT] = {[RACE_PUT] = true, [RACE_GET] = true, [RACE_ATOMIC] = true, [RACE_STORE] = true, [RACE_LOAD] = true},
    [RACE_GET] = {[RACE_PUT] = true, [RACE_ATOMIC] = true, [RACE_STORE] = true},
    [RACE_ATOMIC] = {[RACE_PUT] = true, [RACE_GET] = true, [RACE_STORE] = true, [RACE_LOAD] = true},
    [RACE_STORE] = {[RACE_PUT] = true, [RACE_GET] = true, [RACE_ATOMIC] = true, [RACE_STORE] = true, [RACE_LOAD] = true},
    [RACE_LOAD] = {[RACE_PUT] = true, [RACE_ATOMIC] = true, [RACE_STORE] = true},
};

/* Only where both compute is it known of what type the numbers are. */
static bool are_of_one_type(const struct window_element *a, const struct window_element *b)
{
    if (a->extent != b->extent)
        return false;
    if (a->number == WINDOW_BYTES || b->number == WINDOW_BYTES)
        return true;
    return a->number == b->number && a->size == b->size && a->index_size == b->index_size &&
           a->index_is_float == b->index_is_float;
}

/* Compare and swap has no operator to be compared. */
static bool go_operators_together(const struct raced_window *window, const struct window_use *a, const struct window_use *b)
{
    if (a->kind == WINDOW_SWAP || b->kind == WINDOW_SWAP || a->operator == b->operator)
        return true;
    return !(window->flags & WINDOW_SAME_OPERATOR) &&
           (a->operator == OPERATOR_NO_OP || b->operator == OPERATOR_NO_OP);
}

static bool reads_there(const struct window_use *use)
{
    return use->kind == WINDOW_FETCH || use->kind == WINDOW_SWAP;
}

static bool writes_there(const struct window_use *use)
{
    return use->kind == WINDOW_SWAP || use->operator != OPERATOR_NO_OP;
}

static bool do_commute(const struct window_use *a, const struct window_use *b)
{
    uint32_t class = window_class(a->kind, a->operator);
    return class && class == window_class(b->kind, b->operator);
}

/* Whether a window need not keep the order of two accesses of one rank to one place, of which `a` is the first (12.7.2). */
static bool is_order_given_up(uint32_t flags, const struct window_use *a, const struct window_use *b)
{
    return (flags & WINDOW_NO_RAR && reads_there(a) && reads_there(b)) ||
           (flags & WINDOW_NO_RAW && writes_there(a) && reads_there(b)) ||
           (flags & WINDOW_NO_WAR && reads_there(a) && writes_there(b)) ||
           (flags & WINDOW_NO_WAW && writes_there(a) && writes_there(b) && !do_commute(a, b));
}

static enum access_conflict conflict_of_atomics(const struct window_accesses *all, const struct race_access *a,
                                                struct window_piece at, const struct race_access *b, struct window_piece bt)
{
    uint64_t apart = at.at > bt.at ? at.at - bt.at : bt.at - at.at;
    if (a->window != b->window)
        return CONFLICT_WINDOWS;
    if (a->origin == b->origin)
        return is_order_given_up(all->window.at[a->window].flags, a->use, b->use) ? CONFLICT_GIVEN_UP : CONFLICT_NONE;
    if (!are_of_one_type(&a->use->element, &b->use->element))
        return CONFLICT_TYPES;
    if (apart && a->use->element.extent && apart % a->use->element.extent)
        return CONFLICT_ELEMENTS;
    if (!go_operators_together(&all->window.at[a->window], a->use, b->use))
        return CONFLICT_OPERATORS;
    return CONFLICT_NONE;
}

/* MPI speaks of loads of what is being updated (12.3, 12.7), and a fetch with MPI_NO_OP updates nothing. */
static bool is_load_beside_reader(const struct race_access *a, const struct race_access *b)
{
    return a->kind == RACE_LOAD && b->kind == RACE_ATOMIC && !writes_there(b->use);
}

enum access_conflict access_conflict(const struct window_accesses *all, const struct race_access *a, struct window_piece at,
                                     const struct race_access *b, struct window_piece bt)
{
    enum { MOST_POLLED = 8 }; /* bytes that change at once */
    bool local = a->kind >= RACE_STORE && b->kind >= RACE_STORE;
    if ((local && a->origin == b->origin) || is_load_beside_reader(a, b) || is_load_beside_reader(b, a))
        return CONFLICT_NONE;
    if ((a->polls && at.bytes <= MOST_POLLED) || (b->polls && bt.bytes <= MOST_POLLED))
        return CONFLICT_NONE;
    if (a->kind == RACE_ATOMIC && b->kind == RACE_ATOMIC)
        return conflict_of_atomics(all, a, at, b, bt);
    return conflicts[a->kind][b->kind] ? CONFLICT_ORDER : CONFLICT_NONE;
}
