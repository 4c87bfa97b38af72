/*
 * session -- MPI without MPI_Init (Sessions Model, since MPI 4.0).
 *
 * A session opens the rank for calls, as MPI_Init does; process sets are those that every library has, all ranks and the
 * rank itself.  What is made of them are communicators like any others.  MPI_COMM_WORLD is there only between MPI_Init and MPI_Finalize.
 */
#ifndef SHIM_VIRTUAL_SESSION_H
#define SHIM_VIRTUAL_SESSION_H

/* One more is open: the rank comes up if need be.  One less: it may be that it communicates no more. */
void rank_open_session(void);
void rank_close_session(void);

#endif
