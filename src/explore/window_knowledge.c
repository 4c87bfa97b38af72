#include "explore/window_knowledge.h"

/* Adds to a set that is part of the lessons; true: some were taken as they came, of which we know better now. */
static bool learn_slot(uint32_t *lesson, uint32_t taken, uint32_t slot)
{
    uint32_t bit = UINT32_C(1) << window_share(slot);
    bool known = *lesson & bit;

    *lesson |= bit;
    return !known && taken & bit;
}

static bool learn_access(struct window_knowledge *known, uint32_t slot, uint32_t class)
{
    uint8_t *made = &known->accesses[window_share(slot)];

    if (class && (!*made || *made == class)) {
        *made = (uint8_t)class;
        return false;
    }
    return learn_slot(&known->lessons.ordered, known->atomic, slot);
}

/* The search begins anew for it, so where there are many windows there is room for as many more. */
static uint32_t room_for_slot(uint32_t slot)
{
    enum { FEW = 4 };

    if (slot < FEW)
        return slot + 1;
    return 2 * slot < WINDOW_SLOTS ? 2 * slot : WINDOW_SLOTS;
}

bool window_knowledge_learn(struct window_knowledge *known, int ranks, const struct op *op)
{
    uint32_t slot;
    bool more;

    if (op->kind != OP_SEND || op->context != KEEPER_CONTEXT || op->peer < ranks)
        return false;
    slot = keeper_slot(ranks, op->peer);
    more = slot >= known->lessons.slots;
    if (more)
        known->lessons.slots = room_for_slot(slot);
    if (op->tag == WINDOW_EXCLUSIVE)
        more |= learn_slot(&known->lessons.exclusive, known->shared, slot);
    if (window_tag_is_ordered(op->tag))
        more |= learn_access(known, slot, window_tag_more(op->tag));
    return more;
}

static bool is_seen_to_commute(const struct window_knowledge *known, int ranks, const struct op *op)
{
    uint32_t bit = UINT32_C(1) << window_share(keeper_slot(ranks, op->peer));

    return (op->tag == WINDOW_SHARED && !(known->lessons.exclusive & bit)) ||
           (window_tag_is_ordered(op->tag) && !(known->lessons.ordered & bit));
}

bool window_knowledge_is_calm(const struct window_knowledge *known, int ranks, const struct op *op)
{
    return op->flags & OPF_CALM || window_op_releases(op) || is_seen_to_commute(known, ranks, op);
}

bool window_knowledge_calms(struct window_knowledge *known, int ranks, const struct op *op)
{
    uint32_t bit = UINT32_C(1) << window_share(keeper_slot(ranks, op->peer));

    if (window_op_releases(op)) /* until it is taken nobody gets the lock alone, so it commutes with all that can come before (L13) */
        return true;
    if (!is_seen_to_commute(known, ranks, op))
        return false;
    *(op->tag == WINDOW_SHARED ? &known->shared : &known->atomic) |= bit;
    return true;
}
