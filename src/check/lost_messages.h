/*
 * lost_messages -- messages that nobody ever received.
 *
 * Judged when every rank has called MPI_Finalize: in any other run the message may
 * have been on its way.  MPI demands that what is sent is received, but a standard
 * send that was completed does no harm in most libraries; one that is synchronous, or
 * was never completed, does.
 */
#ifndef CHECK_LOST_MESSAGES_H
#define CHECK_LOST_MESSAGES_H

#include "check/defect.h"
#include "explore/explore.h"

void lost_messages_add(const struct explorer *, const struct run *, int ranks, defects_t *);

#endif
