/*
 * buffer_room -- buffered sends for which the attached buffer need not have room (M6).
 *
 * MPI may leave a message in the buffer until it is received.  So a buffered send is right if there is room for it
 * beside all messages in the same buffer since MPI_Buffer_attach of which it is not known, by its causal past (past.h), that a receive of them is
 * complete: else there is an execution, with the same matches, in which they still lie there.  Each takes
 * MPI_BSEND_OVERHEAD in addition.  Only the sum is looked at, not how the buffer may be cut into pieces.
 */
#ifndef CHECK_BUFFER_ROOM_H
#define CHECK_BUFFER_ROOM_H

#include "check/defect.h"
#include "explore/explore.h"

/* Nothing, at no cost, while all messages that were ever put into a buffer have room in it together. */
void buffer_room_add(struct explorer *, const struct run *, int ranks, defects_t *);

#endif
