/*
 * dlsym -- for programs that load MPI by hand.
 *
 * dlopen("libmpi.so") and dlsym(handle, "MPI_Send"), as ctypes and Julia do it,
 * pass by everything that is preloaded.  So in a rank, a lookup that ends in an
 * MPI library gives what the dynamic linker would have bound: the gate.
 * All other lookups are left alone.  The function itself is in arch/MACHINE/gate/dlsym.S.
 */
#include "shim/gate/gate.h"

#include <dlfcn.h>
#include <string.h>

#include "arch/machine.h"

typedef void *dlsym_function(void *, const char *);

#define HIDDEN __attribute__((visibility("hidden")))
HIDDEN dlsym_function *gate_real_dlsym;
HIDDEN void *gate_look_up(void *handle, const char *name, const void *caller);

static bool is_mpi_name(const char *name)
{
    return !strncmp(name + (*name == 'P'), "MPI", strlen("MPI"));
}

/* The gate and the shims ask for the real library and mean it. */
static bool is_own_library(const void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) && strstr(info.dli_fname, "/libtourney");
}

static bool is_in_mpi(const void *address)
{
    Dl_info info;
    return dladdr(address, &info) && gate_is_mpi(info.dli_fname);
}

/* What to answer instead of the real dlsym, or NULL. */
void *gate_look_up(void *handle, const char *name, const void *caller)
{
    if (!gate_real_dlsym)
        *(void **)&gate_real_dlsym = dlvsym(RTLD_NEXT, "dlsym", MACHINE_FIRST_LIBC);
    if (gate_is_opening() || handle == RTLD_NEXT || handle == RTLD_DEFAULT || !is_mpi_name(name))
        return NULL; /* as thousands are when a rank starts */
    if (!gate_is_rank() || is_own_library(caller))
        return NULL;
    void *address = gate_real_dlsym(handle, name);
    return address && is_in_mpi(address) ? gate_real_dlsym(RTLD_DEFAULT, name) : NULL;
}
