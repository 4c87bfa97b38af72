/*
 * library -- what differs between the binary interfaces of MPI libraries, for the shim that is compiled for one of them.
 *
 * Each has a folder here.  What is in it is in both shims of that library; what is in its folder `virtual` only in the
 * one that talks to tourney.  How libraries behave is in maker.h; what is to be known of them from outside, in src/library.
 */
#ifndef SHIM_LIBRARY_LIBRARY_H
#define SHIM_LIBRARY_LIBRARY_H

struct library_traits {
    const char *name;            /* as in src/library */
    const char *const *binding;  /* patterns: files of its bindings for other languages, up to NULL */
    const char *const *file;     /* the same of its own files, and of what it loads */
    /* By value, since the mpi.h may be older than the library: */
    void *automatic_buffer;      /* MPI_BUFFER_AUTOMATIC */
    int last_split_type;         /* of MPI_Comm_split_type; the first is MPI_COMM_TYPE_SHARED */
    int hardware_split_type[2];  /* MPI_COMM_TYPE_HW_GUIDED and _UNGUIDED */
};
extern const struct library_traits library_traits;

#endif
