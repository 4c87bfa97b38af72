/*
 * library -- what differs between MPI libraries, for the shim that is compiled for one of them.
 *
 * Each has a folder here.  What is in it is in both shims of that library; what is in its folder `virtual` only in the
 * one that talks to tourney.  What is to be known of the library from outside is in src/library.
 */
#ifndef SHIM_LIBRARY_LIBRARY_H
#define SHIM_LIBRARY_LIBRARY_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct library_traits {
    const char *name;            /* as in src/library */
    const char *const *binding;  /* patterns: files of its bindings for other languages, up to NULL */
    const char *const *file;     /* the same of its own files, and of what it loads */
    bool has_classes_of_null;    /* a null pointer is an error of its parameter's class, and not always MPI_ERR_ARG */
    bool tells_first_of_several; /* of several errors a handler hears the first, and not MPI_ERR_IN_STATUS */
    bool tells_when_completed;   /* MPI_Request_get_status does not raise the error of its request */
    bool leaves_refused_grid;    /* MPI_Cart_create leaves the variable of a grid that is too large as it was */
    bool raises_on_null_file;    /* an error can be raised on MPI_FILE_NULL */
    bool allocates_windows_with_threads; /* with MPI_THREAD_MULTIPLE a single process can make no window of memory that is there */
    int last_split_type;         /* of MPI_Comm_split_type; the first is MPI_COMM_TYPE_SHARED */
    uint64_t sent_from, received_from, in_turns_from; /* from how many bytes on messages are lent (clock/parcel.c) */
};
extern const struct library_traits library_traits;

/* MPI_Comm_get_attr, as a job with so many ranks would answer it and not a single process; in `virtual`. */
int library_get_attribute(MPI_Comm, int keyval, void *attribute, int *flag);

#endif
