/*
 * foretold -- answers that an animal is given before it asks for them.
 *
 * What a rank that goes a known way again will be answered is known for the whole way.  To answer one call at a time takes two switches between
 * processes for each, which is most of what such a way costs.  So answers are given many at a time, one behind the other, and what
 * the rank does is read when it has come to the end of them, or has filled its ring.
 */
#ifndef DRIVE_FORETOLD_H
#define DRIVE_FORETOLD_H

#include "drive/inside.h"

/* All zero: none.  One animal at a time. */
struct foretold {
    size_t left;                 /* nodes that the answers given so far lead to, and that are not read yet */
    struct payload_block letter; /* in the arena: the first of them, if it was long */
    struct payload_block rest;   /* and the others */
};

/*
 * Gives the animal the answers that lead to the nodes way[at], way[at - 1] and so on, to one of them at least.  False: what it is to be handed there lacks.
 * They have to be read before it is called again.
 */
bool foretell(struct drive *, int animal, const node_id *way, size_t at, struct foretold *);
/* What was given has been read, or the animal is no more. */
void foretold_release(struct drive *, struct foretold *);

#endif
