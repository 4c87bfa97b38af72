/*
 * kept_files -- files that MPI calls change in a search, as they were before (call/file_store.h).
 */
#ifndef WORLD_KEPT_FILES_H
#define WORLD_KEPT_FILES_H

/* A folder for them, made in this one; to be freed. */
char *kept_files_folder(const char *scratch);

/* Puts back what is kept there, but for files that the program has changed by other means since. */
void kept_files_put_back(const char *folder);

#endif
