/*
 * origin -- buffers of one-sided operations at their origin: lent to MPI from the call until the operation is complete there.
 *
 * The source of a put must not be stored to, the result of a get not even loaded (MPI-4.0, 12.3).  The guard (guard.h) watches over
 * that, as it does for other operations.  They are complete when an epoch ends, by a flush, or by the request that the program has.
 */
#ifndef SHIM_WINDOW_ORIGIN_H
#define SHIM_WINDOW_ORIGIN_H

#include "shim/request.h"
#include "shim/window/window.h"

struct lent_buffer {
    void *buf;
    MPI_Count count;
    MPI_Datatype datatype; /* MPI_DATATYPE_NULL: there is none */
    bool filled;
};

enum { ORIGIN_BUFFERS = 3 };

/* The current call lends these for an operation on a member.  `users`: the request that the program has, or NULL. */
void origin_lend(struct window *, int member, const struct lent_buffer[ORIGIN_BUFFERS], struct request *users);

/* Operations on a member, or (-1) on all, are about to be complete at the origin: the last moment before results are there. */
void origin_check(struct window *, int member);
/* They are. */
void origin_return(struct window *, int member);

#endif
