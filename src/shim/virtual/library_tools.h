/* library_tools -- MPI_T may be initialised before MPI, and reads the library's settings then, once and for all. */
#ifndef SHIM_VIRTUAL_LIBRARY_TOOLS_H
#define SHIM_VIRTUAL_LIBRARY_TOOLS_H

/* Before MPI_T_init_thread. */
void library_tools_begin(void);

#endif
