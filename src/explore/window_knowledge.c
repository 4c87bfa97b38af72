#include "explore/window_knowledge.h"

/* Adds to a set that is part of the lessons; true: some were taken as they came, of which we know better now. */
static bool learn_slot(uint32_t *lesson, uint32_t taken, uint32_t slot)
{
    bool known = *lesson >> slot & 1;

    *lesson |= UINT32_C(1) << slot;
    return !known && taken >> slot & 1;
}

static bool learn_access(struct window_knowledge *known, uint32_t slot, uint32_t class)
{
    if (class && (!known->accesses[slot] || known->accesses[slot] == class)) {
        known->accesses[slot] = (uint8_t)class;
        return false;
    }
    return learn_slot(&known->lessons.ordered, known->atomic, slot);
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
        known->lessons.slots = slot + 1;
    if (op->tag == WINDOW_EXCLUSIVE)
        more |= learn_slot(&known->lessons.exclusive, known->shared, slot);
    if (window_tag_kind(op->tag) == WINDOW_ATOMIC)
        more |= learn_access(known, slot, window_tag_more(op->tag));
    return more;
}

bool window_knowledge_calms(struct window_knowledge *known, int ranks, const struct op *op)
{
    uint32_t bit = UINT32_C(1) << keeper_slot(ranks, op->peer);

    if (op->tag == WINDOW_SHARED && !(known->lessons.exclusive & bit))
        known->shared |= bit;
    else if (window_tag_kind(op->tag) == WINDOW_ATOMIC && !(known->lessons.ordered & bit))
        known->atomic |= bit;
    else
        return false;
    return true;
}
