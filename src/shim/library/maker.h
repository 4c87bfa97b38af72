/*
 * maker -- how a library behaves where the standard leaves it free, by who has made it: one binary interface has several makers.
 *
 * What follows from the interface itself, as the mpi.h tells it, is in library.h.
 */
#ifndef SHIM_LIBRARY_MAKER_H
#define SHIM_LIBRARY_MAKER_H

#include <stdbool.h>
#include <stdint.h>

struct library_maker {
    bool has_classes_of_null;    /* a null pointer is an error of its parameter's class, and not always MPI_ERR_ARG */
    bool tells_first_of_several; /* of several errors a handler hears the first, and not MPI_ERR_IN_STATUS */
    bool tells_when_completed;   /* MPI_Request_get_status does not raise the error of its request */
    bool leaves_refused_grid;    /* MPI_Cart_create leaves the variable of a grid that is too large as it was */
    bool raises_on_null_file;    /* an error can be raised on MPI_FILE_NULL */
    bool raises_on_self;         /* from its versions with MPI 4.1 on, errors of calls without communicator are MPI_COMM_SELF's */
    bool allocates_windows_with_threads; /* with MPI_THREAD_MULTIPLE a single process can make no window of memory that is there */
    bool knows_universe;         /* a single process has MPI_UNIVERSE_SIZE and MPI_APPNUM, as its mpiexec says them */
    bool has_shared_pset;        /* there is a process set mpix://SHARED, of who is on one node */
    bool makes_folders;          /* for each process, below TMPDIR (virtual/library_folders.c) */
    uint64_t sent_from, received_from, in_turns_from; /* from how many bytes on messages are lent (clock/parcel.c) */
};

/* That of the library in this process. */
extern const struct library_maker *library_maker;

/* Tells it by symbols of a library that was dlopen'd. */
void library_maker_tell(void *library);

#endif
