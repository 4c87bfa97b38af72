/*
 * agreement -- all members of a communicator tell each other something.
 *
 * Like coll_exchange, but each may have a different amount to say.  Counts as one
 * turn.
 */
#ifndef SHIM_VIRTUAL_AGREEMENT_H
#define SHIM_VIRTUAL_AGREEMENT_H

#include "shim/comm.h"

/*
 * Everybody's bytes, one after the other, to be freed by the caller.  Those of the
 * member at position k are from start[k] up to start[k + 1]; `start` has an entry
 * more than there are members.
 */
char *agree(struct comm *, const void *mine, size_t bytes, size_t *start);

#endif
