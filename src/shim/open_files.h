/*
 * open_files -- what a copy of a rank has open.
 *
 * A copy shares with its original not only the files but also how far they have been
 * read or written.  Each has to have that for itself: what one of them reads, the other
 * must be able to read, too.
 */
#ifndef SHIM_OPEN_FILES_H
#define SHIM_OPEN_FILES_H

/*
 * After a copy was made, before either goes on: opens every regular file anew, at the
 * place where it stands.  It is the original that does, so that nobody has to wait for
 * the copy.  Changes no memory.
 */
void open_files_own(void);

#endif
