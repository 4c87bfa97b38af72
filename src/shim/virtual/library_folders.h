/* library_folders -- around the start of the library as a single process: nothing of it stays in the file system. */
#ifndef SHIM_VIRTUAL_LIBRARY_FOLDERS_H
#define SHIM_VIRTUAL_LIBRARY_FOLDERS_H

void library_folders_begin(void);
void library_folders_end(void);

#endif
