#include "shim/core/fatal_handler.h"

#include "shim/core/library_code.h"
#include "shim/library/maker.h"

static MPI_Errhandler stand_in;

static bool asks_self(void)
{
    return library_maker->raises_on_self && real.Buffer_flush;
}

/* While MPI_COMM_SELF has no handler, a library that asks there goes on to MPI_COMM_WORLD. */
void fatal_handler_open(MPI_Comm_errhandler_function *on_error)
{
    real_must(Comm_create_errhandler, on_error, &stand_in);
    real_must(Comm_set_errhandler, MPI_COMM_WORLD, stand_in);
    if (!asks_self())
        real_must(Comm_set_errhandler, MPI_COMM_SELF, stand_in);
}

void fatal_handler_close(void)
{
    real_must(Errhandler_free, &stand_in);
}

bool fatal_handler_is(MPI_Errhandler handler)
{
#ifdef MPI_ERRORS_ABORT
    if (handler == MPI_ERRORS_ABORT)
        return true;
#endif
    return handler == MPI_ERRORS_ARE_FATAL || handler == stand_in;
}

static bool comm_is_fatal(MPI_Comm comm)
{
    MPI_Errhandler handler;
    real_must(Comm_get_errhandler, comm, &handler);
    bool fatal = fatal_handler_is(handler);
    real_must(Errhandler_free, &handler);
    return fatal;
}

MPI_Comm fatal_handler_comm(void)
{
    return asks_self() && !comm_is_fatal(MPI_COMM_SELF) ? MPI_COMM_SELF : MPI_COMM_WORLD;
}

int body_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
{
    return real.Comm_set_errhandler(comm, fatal_handler_is(errhandler) ? stand_in : errhandler);
}

int body_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    int rc = real.Comm_get_errhandler(comm, errhandler);
    if (rc == MPI_SUCCESS && *errhandler == stand_in) {
        MPI_Errhandler reference = stand_in;
        real_must(Errhandler_free, &reference);
        *errhandler = MPI_ERRORS_ARE_FATAL;
    }
    return rc;
}

int body_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler)
{
    return body_Comm_set_errhandler(comm, errhandler);
}

int body_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    return body_Comm_get_errhandler(comm, errhandler);
}
