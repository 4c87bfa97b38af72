/*
 * lacking -- calls that this shim cannot serve: the mpi.h that it was compiled with does not know their types.
 *
 * The library that a program brings may be newer.  Such a call would reach it unseen, and it believes to be alone; so the
 * gate asks here, and has it refused by its name.
 */
#ifndef SHIM_BODIES_LACKING_H
#define SHIM_BODIES_LACKING_H

#include <stdbool.h>

/* Both for the gate.  By the name as it is called, such as "PMPI_Session_init". */
__attribute__((visibility("default"))) bool tourney_shim_lacks(const char *name);

/* Comes back if the call may be passed on; what is done otherwise differs between the channels. */
__attribute__((visibility("default"))) void tourney_shim_refuse(const char *name, const void *caller);

/* Of one that the library does not have: there is nothing to pass it on to.  Only where somebody listens (the virtual channel). */
__attribute__((visibility("default"))) _Noreturn void tourney_shim_miss(const char *name, const void *caller);

/* "MPI_Session_init" of the one above. */
static inline const char *lacking_plain_name(const char *name)
{
    return name + (*name == 'P');
}

#endif
