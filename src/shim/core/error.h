/*
 * error -- raising MPI errors as the library would.
 *
 * What is wrong is also a complaint (call/complaint.h): a fatal error carries it, one
 * that is returned, or given to a handler of the program, comes with it.
 */
#ifndef SHIM_CORE_ERROR_H
#define SHIM_CORE_ERROR_H

#include "call/complaint.h"
#include "shim/comm.h"
#include "shim/shim.h"

/*
 * Raises an error class (MPI_ERR_RANK ...) for the current call on a
 * communicator's error handler: MPI_ERRORS_RETURN returns it, a user's handler
 * is called, the fatal one tells tourney and does not come back.  MPI_SUCCESS
 * passes through.  Without a valid communicator: on MPI_COMM_WORLD.
 */
int error_raise(const struct comm *, int error_class);

/* Of several requests at once: the call returns MPI_ERR_IN_STATUS; `first` is the first error, or MPI_SUCCESS. */
int error_raise_in_status(const struct comm *, int first);

/* The same, with what is wrong in words of our own: no full sentence, it stands behind the name of the call. */
int error_raise_for(const struct comm *, int error_class, enum complaint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same on the error handler of a window. */
int error_raise_on_window(MPI_Win, int error_class, enum complaint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#ifdef MPI_SESSION_NULL
/* The same on that of a session, of an argument. */
int error_raise_on_session(MPI_Session, int error_class, const char *text);
#endif

/* For the usual case: an argument. */
#define error_argument(comm, error_class, ...) \
    error_raise_for(comm, error_class, COMPLAINT_INVALID_ARGUMENT, __VA_ARGS__)

/* The real library has raised this error, and it is fatal. */
_Noreturn void error_of_library(int code);

/* The current call is not allowed at all, also before MPI_Init and after MPI_Finalize. */
_Noreturn void error_fatal(enum complaint, const char *text);

#endif
