/*
 * file_remarks -- what this rank does with files, told where it does it (call/file_use.h).
 */
#ifndef SHIM_FILE_FILE_REMARKS_H
#define SHIM_FILE_FILE_REMARKS_H

#include "call/file_use.h"
#include "shim/file/file.h"

void file_remark_opened(const struct file *);
void file_remark(const struct file *, enum file_event);

/* Whether accesses to it are told at all. */
bool file_remarks_are_wanted(const struct file *);

/* An access, from the etype of this number on. */
void file_remark_access(const struct file *, const struct file_access *, MPI_Offset etype);

#endif
