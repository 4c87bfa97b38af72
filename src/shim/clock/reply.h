/*
 * reply -- what the program is told of its requests.
 */
#ifndef SHIM_CLOCK_REPLY_H
#define SHIM_CLOCK_REPLY_H

#include "shim/channel.h"
#include "shim/clock/flight.h"

/* An answer without completions; it is the same memory each time. */
struct answer *reply_begin(void);

void reply_add(struct completion);

/* The request of this flight is complete, as the program is now told. */
void reply_finish(struct flight *, MPI_Status *, int error);
/* As soon as it is. */
void reply_wait_for(struct flight *);
/* Those that were freed and are. */
void reply_finish_orphans(void);

/* What freed receives have brought, after a collective. */
void reply_hand_over_freed(void);

/* What was received stays until the rank posts something else. */
void reply_forget_delivered(void);

#endif
