/*
 * parts -- whether two members of a collective agree in operator and length (sem/agree.h).
 *
 * Less is compared than in the search: a part with the first and with the root's, and no types.  Whoever gets more than it
 * has room for is told by its library (MPI_ERR_TRUNCATE), so only what nobody is told ends the run here.
 */
#ifndef PLAY_PARTS_H
#define PLAY_PARTS_H

#include "play/state.h"

/* The part that is this item, and the one that rank `r` is about to post. */
void parts_compare(struct play *, uint32_t item, rank_t r, const struct op *);

/* The run is over: the rank of `first` and `r` do otherwise. */
void parts_disagree(struct play *, const struct item *first, rank_t r, const struct op *, enum coll_fault);

#endif
