/*
 * file -- MPI files: the real library's on this process alone, in step with the others.
 *
 * Each rank opens the file for itself, so data access is the real library's and
 * all ranks meet in the file system.  What is left to the shim is that which
 * needs the other ranks: agreement in the collective calls, and the shared
 * file pointer.
 */
#ifndef SHIM_FILE_FILE_H
#define SHIM_FILE_FILE_H

#include "shim/comm.h"
#include "shim/objects/file_view.h"
#include "shim/file/shared_pointer.h"
#include "shim/request.h"
#include "shim/shim.h"

/* One access to the data, at an explicit offset or at the file pointer. */
struct file_access {
    bool write;
    bool at;           /* `offset` counts */
    MPI_Offset offset; /* in etypes of the view */
    void *buf;         /* only read from when `write` */
    MPI_Count count;
    MPI_Datatype datatype;
};

/* Of an ordered access: where this member's part begins, from the shared pointer on, and where that is then. */
struct ordered_place {
    MPI_Offset before, all;
    bool moved; /* somebody has moved it alone */
};

struct file {
    struct comm *comm; /* owned: a duplicate of the user's, so file calls have turns of their own */
    char *name;        /* owned */
    int amode;         /* as the user gave it */
    bool atomic;       /* its accesses are (MPI_File_set_atomicity) */
    struct file_view view;
    struct shared_pointer shared;
    char *path;        /* owned: the whole of it, if each run has files of its own (own_contents.h); else NULL */
    bool apart;        /* and then: what was written to it in this run is asked for */

    /* The split collective that has begun and not ended; `request` is NULL: none. */
    struct {
        struct request *request;
        struct file_access access; /* ordered: what to do when it ends */
        bool ordered;
        struct ordered_place place; /* where */
        MPI_Status status;
    } split;
};

struct file *file_find(MPI_File); /* NULL: not an open file */
void file_enter(MPI_File, struct file *);
void file_leave(MPI_File);

/* Waits until all members have come as far. */
void file_agree(struct file *);

/* Every member's value, by position.  To be freed. */
int64_t *file_exchange(struct comm *, int64_t mine);

/* Collective: where the shared pointer is, is known to all, and nobody moves it meanwhile. */
void file_settle_pointer(struct file *);

/* Waits for the split collective that has begun, if any. */
void file_end_split(struct file *);

/* Raises an error class on the file's own error handler. */
int file_raise(MPI_File, int error_class);

#endif
