/*
 * file_view -- which bytes of a file this rank sees, and in which order (MPI-4.0, 14.3).
 */
#ifndef SHIM_OBJECTS_FILE_VIEW_H
#define SHIM_OBJECTS_FILE_VIEW_H

#include <stdbool.h>

#include "shim/objects/target_place.h"

struct file_view {
    MPI_Offset start;          /* in bytes */
    MPI_Count etype;           /* bytes of one */
    bool native;               /* the data representation: bytes are as in memory */
    MPI_Count size;            /* of the filetype, which is repeated: its data */
    MPI_Aint extent;
    struct element_place tile; /* and where they are; owned.  None: all bytes are seen */
};

/* As MPI_File_open leaves it: a stream of bytes. */
void file_view_reset(struct file_view *);
void file_view_set(struct file_view *, MPI_Offset start, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep);
void file_view_release(struct file_view *);

/* Where so many bytes of data lie, from the etype of this number on.  To be released; not of another representation than the native one. */
struct target_place file_view_place(const struct file_view *, MPI_Offset etype, uint64_t bytes);

#endif
