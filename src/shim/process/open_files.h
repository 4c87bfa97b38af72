/*
 * open_files -- the files that a process has open.
 */
#ifndef SHIM_PROCESS_OPEN_FILES_H
#define SHIM_PROCESS_OPEN_FILES_H

#include <sys/stat.h>

/* Calls `see` for each descriptor.  Allocates nothing, and leaves errno as it is. */
void open_files_each(void (*see)(int fd, const struct stat *, void *), void *data);

/*
 * A copy shares with its original not only files and folders but also how far they have been read or written.  Each has
 * to have that for itself: what one of them reads, the other must be able to read, too.  So after a copy was made, before
 * either goes on, this opens every one of them anew, at the place where it stands.  It is the original that does, so that
 * nobody has to wait for the copy.  Changes no memory.
 */
void open_files_own(void);

#endif
