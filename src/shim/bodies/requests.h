/*
 * requests -- all requests of this rank (request.h): their numbers, handles, and what becomes of them.
 */
#ifndef SHIM_BODIES_REQUESTS_H
#define SHIM_BODIES_REQUESTS_H

#include "shim/request.h"

void request_tell_leaks(void); /* at MPI_Finalize */

/* Complains of a persistent one that was waited for, and is never started. */
void request_tell_never_started(const struct request *);

/* A persistent one that was never started is waited for, or it is started after all: for those who stay in a deadlock. */
void request_tell_unstarted(const struct request *, bool waited);
void request_close(void);

/* A new inactive request of the current call; holds the communicator. */
struct request *request_new(struct comm *);
MPI_Request request_handle(struct request *); /* gives it a handle at first */
struct request *request_find(MPI_Request);    /* NULL: MPI_REQUEST_NULL, or the real library's own */
bool request_is_stale(MPI_Request);           /* a copy of a handle whose request is over */
struct request *request_by_number(uint32_t);
void request_delete(struct request *);
uint32_t request_next_number(void);           /* of the next one that is made */

/*
 * It is posted, or about to be.  `complete`: it needs nothing any more, such as
 * a buffered send or anything with MPI_PROC_NULL.
 */
void request_activate(struct request *, bool known, bool complete);

/* How many parts there are of requests that have more than one half. */
extern size_t request_parts;

/* An active one is complete, its half included, and tourney has been told so. */
bool request_is_done(const struct request *);

/* Tells tourney of one that is done, as something that calls which choose may name or not (D7). */
void request_settle(struct request *);

/* The same of one of which tests may say no all the same, until one says yes or it is certain to be complete (W20). */
void request_settle_deniably(struct request *);
void request_make_certain(struct request *);

/* What tourney answered for it. */
void request_deliver(struct request *, const struct completion *);

/* Nobody will ask for this active send: it may go on by itself. */
void request_forget(struct request *);

/* An active one is withdrawn, if that comes in time; completing it tells. */
void request_cancel(struct request *);

/* An active complete request has been returned to the user: it is over, or inactive again. */
void request_release(struct request *);

#endif
