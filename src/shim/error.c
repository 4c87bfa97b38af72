#include "shim/error.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "shim/channel.h"

static _Noreturn void die_of(int error_class)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    real.Error_string(error_class, text, &length);
    if (!shim.initialized) {
        fprintf(stderr, "tourney: %s: %s\n", call_name(shim.call), text);
        _exit(3);
    }
    struct op op = {.kind = OP_ERROR, .tag = error_class};
    channel_post(&op, text, strlen(text) + 1);
    channel_wait_for_the_end();
}

static bool is_fatal(MPI_Errhandler handler)
{
#ifdef MPI_ERRORS_ABORT
    if (handler == MPI_ERRORS_ABORT)
        return true;
#endif
    return handler == MPI_ERRORS_ARE_FATAL;
}

int error_raise(const struct comm *comm, int error_class)
{
    if (error_class == MPI_SUCCESS)
        return MPI_SUCCESS;
    if (!shim.initialized)
        die_of(error_class);
    MPI_Comm handle = comm ? comm->handle : MPI_COMM_WORLD;
    MPI_Errhandler handler;
    real.Comm_get_errhandler(handle, &handler);
    if (is_fatal(handler))
        die_of(error_class);
    if (handler != MPI_ERRORS_RETURN)
        real.Comm_call_errhandler(handle, error_class);
    real.Errhandler_free(&handler);
    return error_class;
}
