/*
 * bonds -- choices of ranks that are not free of each other.
 *
 * What a rank chooses (OP_CHOOSE) concerns it alone, but for two kinds of choices:
 * - of those with OPF_ONCE at most one in a run is another than the first: of all calls that may fail, one does;
 * - those with OPF_COMMON that name the same context and turn are one: who comes first chooses for all `count` of them, say the
 *   result of a reduction that all members get.
 *
 * What can be chosen in the end does not depend on who comes first: every set of choices that the law allows can be made in any
 * order.  So a choice is decided alone, before others (one_point.c), though it may take alternatives away from them.  Even if one
 * alternative is left it is a decision: where ranks are held up (tight.h), others may come first.
 */
#ifndef EXPLORE_BONDS_H
#define EXPLORE_BONDS_H

#include "base/map.h"
#include "base/mem.h"
#include "call/op.h"

/* What one of several ranks has chosen, and the others will. */
struct bond {
    context_t context;
    int32_t turn;
    uint32_t left; /* so many of them have not chosen yet */
    uint64_t choice;
};

struct bonds {
    bool spent; /* a choice with OPF_ONCE was another than the first */
    VEC(struct bond) common;
};

void bonds_copy(struct bonds *, const struct bonds *);
void bonds_release(struct bonds *);

/* Whether a rank may still choose this; choices are counted from 1. */
bool bonds_allow(const struct bonds *, const struct op *, uint64_t choice);

/* It has chosen. */
void bonds_note(struct bonds *, const struct op *, uint64_t choice);

/* What is left open is part of a state. */
void bonds_stir(const struct bonds *, struct map_key *);

#endif
