/*
 * idle_requests -- persistent requests that ranks in a deadlock have waited for and never started.
 *
 * To wait for an inactive request returns at once, so a start that was forgotten shows elsewhere: nobody gets the message.
 * Who comes to MPI_Finalize says so there (shim/bodies/requests.c); who does not is looked at here.
 */
#ifndef CHECK_IDLE_REQUESTS_H
#define CHECK_IDLE_REQUESTS_H

#include "check/defect.h"
#include "explore/explore.h"

/* Nothing, at no cost, while nobody has waited for such a request. */
void idle_requests_add(struct explorer *, const struct run *, int ranks, defects_t *);

#endif
