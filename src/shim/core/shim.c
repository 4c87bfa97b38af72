/* What every shim begins and ends with, whoever serves it. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "shim/channel.h"
#include "shim/core/library_code.h"
#include "shim/gate/blocks.h"
#include "shim/library/maker.h"
#include "shim/shim.h"

#pragma weak tourney_own_memory

struct shim shim = {.watched = true};

_Noreturn void shim_give_up(const char *why)
{
    if (!channel_tell_refusal(why))
        fprintf(stderr, "tourney: %s\n", why);
    if (shim.job && shim.initialized)
        library_may_fail(real.Abort(MPI_COMM_WORLD, 3));
    _exit(3);
}

void *shim_alloc(size_t size)
{
    return shim_realloc(NULL, size);
}

void *shim_realloc(void *old, size_t size)
{
    void *(*allocate)(void *, size_t) = tourney_own_memory ? tourney_own_memory : realloc;
    void *new = allocate(old, size ? size : 1);
    if (!new)
        shim_give_up("out of memory");
    return new;
}

/*
 * The gate's call into this library: `mpi` is the real one.  A function that
 * an older or newer minor version lacks stays NULL; the program would not have
 * been linked with it either.
 */
__attribute__((visibility("default"))) const char *tourney_shim_open(void *mpi);
const char *tourney_shim_open(void *mpi)
{
    real_bind(mpi);
    library_maker_tell(mpi);
    shim.library = mpi;
    return real.Init ? NULL : "the MPI library has no PMPI_Init";
}

/* For the gate, which cannot go on either. */
__attribute__((visibility("default"))) _Noreturn void tourney_shim_give_up(const char *why);
void tourney_shim_give_up(const char *why)
{
    shim_give_up(why);
}

int body_Abort(MPI_Comm comm, int code)
{
    (void)comm; /* MPI lets it end everything, and so does everybody */
    if (!shim.up)
        _exit(code);
    struct op op = {.kind = OP_ABORT, .code = code};
    channel_post(&op, NULL, 0);
    channel_wait_for_the_end();
}
