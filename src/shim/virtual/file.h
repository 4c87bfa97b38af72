/*
 * file -- MPI files: the real library's on this process alone, in step with the others.
 *
 * Each rank opens the file for itself, so data access is the real library's and
 * all ranks meet in the file system.  What is left to the shim is that which
 * needs the other ranks: agreement in the collective calls, and the shared
 * file pointer.
 */
#ifndef SHIM_VIRTUAL_FILE_H
#define SHIM_VIRTUAL_FILE_H

#include "shim/comm.h"
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

struct file {
    struct comm *comm; /* owned: a duplicate of the user's, so file calls have turns of their own */
    char *name;        /* owned */
    int amode;         /* as the user gave it */
    MPI_Count etype;   /* bytes of the view's etype */
    MPI_Offset shared; /* the shared pointer, in etypes: the same value in every member */

    /* The split collective that has begun and not ended; `request` is NULL: none. */
    struct {
        struct request *request;
        struct file_access access; /* ordered: what to do when it ends */
        bool ordered;
        MPI_Status status;
    } split;
};

struct file *file_find(MPI_File); /* NULL: not an open file */

/* Waits until all members have come as far. */
void file_agree(struct file *);

/* Every member's value, by position.  To be freed. */
int64_t *file_exchange(struct comm *, int64_t mine);

/* Waits for the split collective that has begun, if any. */
void file_end_split(struct file *);

/* Raises an error class on the file's own error handler. */
int file_raise(MPI_File, int error_class);

#endif
