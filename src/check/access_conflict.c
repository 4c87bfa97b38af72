#include "check/access_conflict.h"

#include "call/accumulate_order.h"
#include "call/calls.h"

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

/* What info keys say of it: those that its window was made with, unless they were others when it was called. */
static uint32_t keys_of_access(const struct window_accesses *all, const struct race_access *access)
{
    return access->use->keys & WINDOW_KEYS_CHANGED ? access->use->keys : all->window.at[access->window].flags;
}

/* Compare and swap has no operator to be compared. */
static bool go_operators_together(uint32_t keys, const struct window_use *a, const struct window_use *b)
{
    if (a->kind == WINDOW_SWAP || b->kind == WINDOW_SWAP || a->operator == b->operator)
        return true;
    return !(keys & WINDOW_SAME_OPERATOR) && (a->operator == OPERATOR_NO_OP || b->operator == OPERATOR_NO_OP);
}

static struct accumulate accumulate_of(const struct race_access *access)
{
    return (struct accumulate){access->use->kind, access->use->operator};
}

static bool are_ordered_atomics(uint32_t flags, const struct race_access *a, const struct race_access *b)
{
    return a->origin == b->origin && accumulates_are_ordered(flags, accumulate_of(a), accumulate_of(b));
}

/*
 * The search plays both orders, but for one with a request for its result, which nothing overtakes that is called when it was
 * sent (shim/window/either_order.h).
 */
static bool is_order_left_out(uint32_t flags, const struct race_access *a, const struct race_access *b)
{
    bool was_sent = !a->message || a->message_number < b->number;
    return a->origin == b->origin && a->op->call == CALL_Rget_accumulate && was_sent &&
           accumulate_order_is_given_up(flags, accumulate_of(a), accumulate_of(b));
}

static enum access_conflict conflict_of_atomics(const struct window_accesses *all, const struct race_access *a,
                                                struct window_piece at, const struct race_access *b, struct window_piece bt)
{
    uint64_t apart = at.at > bt.at ? at.at - bt.at : bt.at - at.at;
    uint32_t first = keys_of_access(all, a), second = keys_of_access(all, b);
    if (a->window != b->window)
        return CONFLICT_WINDOWS;
    if (are_ordered_atomics(first & second, a, b)) /* an order that either of them has kept is kept */
        return CONFLICT_NONE;
    if (!are_of_one_type(&a->use->element, &b->use->element))
        return CONFLICT_TYPES;
    if (apart && a->use->element.extent && apart % a->use->element.extent)
        return CONFLICT_ELEMENTS;
    if (!go_operators_together(first | second, a->use, b->use))
        return CONFLICT_OPERATORS;
    if (a->origin == b->origin && accumulates_commute(accumulate_of(a), accumulate_of(b)))
        return CONFLICT_COMMUTING;
    return is_order_left_out(first & second, a, b) ? CONFLICT_GIVEN_UP : CONFLICT_NONE;
}

bool access_sees_given_up_order(const struct window_accesses *all, const struct race_access *a,
                                const struct race_access *b)
{
    enum { GIVEN_UP = WINDOW_NO_RAR | WINDOW_NO_RAW | WINDOW_NO_WAR | WINDOW_NO_WAW };
    if (a->kind != RACE_ATOMIC || b->kind != RACE_ATOMIC || a->window != b->window ||
        accumulates_commute(accumulate_of(a), accumulate_of(b)))
        return false;
    uint32_t first = keys_of_access(all, a), second = keys_of_access(all, b);
    return ((first | second) & GIVEN_UP) && !are_ordered_atomics(first & second, a, b);
}

/* MPI speaks of loads of what is being updated (12.3, 12.7), and a fetch with MPI_NO_OP updates nothing. */
static bool is_load_beside_reader(const struct race_access *a, const struct race_access *b)
{
    return a->kind == RACE_LOAD && b->kind == RACE_ATOMIC && !accumulate_writes(accumulate_of(b));
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
