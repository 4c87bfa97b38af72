/*
 * clocked_file -- files of a real job: the library has them, and what this rank does with them is told by remarks (call/file_use.h).
 *
 * Clocks need not go along: that collective calls on files wait for anybody is not promised (check/file_races.h).  Accesses at
 * shared file pointers are not told, for nobody knows where they are.
 */
#ifndef SHIM_CLOCK_CLOCKED_FILE_H
#define SHIM_CLOCK_CLOCKED_FILE_H

#include <mpi.h>
#include <stdbool.h>

/* Each after the library has made the call. */
void clocked_file_opened(MPI_Comm, const char *name, MPI_File);
void clocked_file_synced(MPI_File);
void clocked_file_viewed(MPI_File, MPI_Offset start, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep);
void clocked_file_is_atomic(MPI_File, int flag);

/* When it is closed, the handle is no more: what it was, before, and after. */
struct clocked_file *clocked_file_closing(MPI_File);
void clocked_file_closed(struct clocked_file *, bool closed);

/* Before an access: the number of its first etype, if that is `offset` or where the rank's own pointer is; -1: it is not told. */
MPI_Offset clocked_file_offset(MPI_File, MPI_Offset offset);
MPI_Offset clocked_file_pointer(MPI_File);
/* And after it: what it was. */
void clocked_file_read(MPI_File, MPI_Offset etype, const void *buf, MPI_Count, MPI_Datatype);
void clocked_file_written(MPI_File, MPI_Offset etype, const void *buf, MPI_Count, MPI_Datatype);

#endif
