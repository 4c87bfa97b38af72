/*
 * environment_info -- what MPI_INFO_ENV says of the job: how many ranks were asked for, and where they run.
 *
 * The library has come up alone, and says that there is one rank.  Which keys there are is its own affair: MPICH has none.
 */
#ifndef SHIM_VIRTUAL_ENVIRONMENT_INFO_H
#define SHIM_VIRTUAL_ENVIRONMENT_INFO_H

/* When the world is known. */
void environment_info_open(void);

#endif
