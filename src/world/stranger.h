/*
 * stranger -- what is wrong with who is in the place of a rank (call/rank_claim.h), in words.
 *
 * The mistake is one in what tourney was given to run, not in the program.
 */
#ifndef WORLD_STRANGER_H
#define WORLD_STRANGER_H

#include "call/rank_claim.h"

/* A sentence to be freed, or NULL.  `silent`: the place is empty again, or has not been heard of for too long. */
char *stranger_in(const struct rank_claim *, const char *program, bool silent);

#endif
