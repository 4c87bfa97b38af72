/*
 * own_contents -- files as this run has made them, in a search (call/file_store.h).
 *
 * Accesses still go to the disk, for who looks there by other means.  But what the program reads by MPI calls is what was there before the search, and
 * over it what was written in the same run.
 */
#ifndef SHIM_FILE_OWN_CONTENTS_H
#define SHIM_FILE_OWN_CONTENTS_H

#include "shim/file/file.h"

/* Whether a file is there in this run; else it is as on the disk. */
enum file_there { THERE_AS_ON_DISK, THERE_IN_RUN, NOT_THERE_IN_RUN };

/*
 * One member is about to open a file for all: what was there is kept if it is to be written.  Whether some call has changed the file in
 * this run already.
 */
bool own_contents_open(struct file *, enum file_there *);
void own_contents_made(const struct file *);         /* by that one, on the disk */
void own_contents_opened(struct file *, bool known); /* by all */

/* MPI_File_sync: somebody may have written to it by another file handle. */
void own_contents_sync(struct file *);

/* Data were written, from this etype on. */
void own_contents_written(struct file *, const struct file_access *, MPI_Offset etype);

/* Reads, instead of the library; false: that is to do it. */
bool own_contents_read(MPI_File, struct file *, const struct file_access *, MPI_Offset etype, MPI_Status *);

/* How long it is in this run; false: as long as on the disk. */
bool own_contents_size(struct file *, MPI_Offset *);

/* The number of the etype at its end, of a view without gaps; else the library has to look. */
bool own_contents_end(struct file *, MPI_Offset *);

/* The library is about to look how long the file is: on the disk it is as long as in this run. */
void own_contents_settle_size(struct file *);

/* The file was given another size, by one for all. */
void own_contents_resized(struct file *, MPI_Offset size);

/* Deletes a file by its name, in this run only: what is left on the disk is seen to when the search is over.  Where it was. */
enum file_there own_contents_delete(const char *name);

#endif
