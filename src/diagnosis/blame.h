/*
 * blame -- which ranks are likely at fault for a deadlock, as opposed to those
 * that merely wait for them.
 *
 * Nobody can know what was meant, so this is a guess, and it is made only where
 * one reading is much more likely than the others.  In this order:
 * - One message and one receive missed each other for one thing, and no others did;
 *   or all that is stuck did, and for the same thing.
 *   If the tag or the communicator differs, both ranks are blamed, since either can
 *   be wrong.  If the receive names another source, its rank is, provided that this
 *   source has ended: else it might still have sent.
 * - Just one rank that has ended is waited for by name: it left too early.  Unless who waits has chosen
 *   its way there, as far as is known: then either can be wrong.
 * - In a collective most members wait for a few that are stuck elsewhere: those few.
 * - Else they wait for each other, and nobody is blamed.
 */
#ifndef DIAGNOSIS_BLAME_H
#define DIAGNOSIS_BLAME_H

#include "base/mem.h"
#include "outcome/final_state.h"

struct blame {
    VEC(rank_t) culprits;
    char *why; /* "which ..."; NULL: nobody is blamed */
};

struct blame blame_find(const struct final_state *);
void blame_release(struct blame *);

#endif
