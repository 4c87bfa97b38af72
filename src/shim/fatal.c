#include "shim/fatal.h"

#include <dlfcn.h>
#include <string.h>
#include <unwind.h>

#include "shim/entry.h"
#include "shim/error.h"
#include "shim/library.h"
#include "shim/module.h"

static MPI_Errhandler stand_in;

/* Who called the library, and which of its functions. */
struct caller {
    const void *place;
    enum call call;
};

static enum call call_at(const void *address)
{
    Dl_info info;
    if (!dladdr(address, &info) || !info.dli_sname)
        return CALL_NONE;
    return call_by_name(info.dli_sname + (strncmp(info.dli_sname, "PMPI", 4) == 0));
}

static _Unwind_Reason_Code look(struct _Unwind_Context *frame, void *arg)
{
    struct caller *caller = arg;
    const void *at = (const void *)_Unwind_GetIP(frame);
    enum module_kind kind = module_kind_at(at);
    if (kind != MODULE_LIBRARY && kind != MODULE_BINDING) {
        caller->place = at;
        return _URC_END_OF_STACK;
    }
    enum call call = call_at(at);
    if (call != CALL_NONE)
        caller->call = call;
    return _URC_NO_REASON;
}

/* The call may be one that passes by the shim: then there is no entry yet. */
static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    struct caller caller = {0};
    struct entry entry;
    _Unwind_Backtrace(look, &caller);
    entry_begin(&entry, caller.call, caller.place);
    error_of_library(*code);
}

void fatal_open(void)
{
    real_must(Comm_create_errhandler, on_error, &stand_in);
    real_must(Comm_set_errhandler, MPI_COMM_WORLD, stand_in);
    real_must(Comm_set_errhandler, MPI_COMM_SELF, stand_in);
}

void fatal_close(void)
{
    real_must(Errhandler_free, &stand_in);
}

bool fatal_is(MPI_Errhandler handler)
{
#ifdef MPI_ERRORS_ABORT
    if (handler == MPI_ERRORS_ABORT)
        return true;
#endif
    return handler == MPI_ERRORS_ARE_FATAL || handler == stand_in;
}

int body_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
{
    return real.Comm_set_errhandler(comm, fatal_is(errhandler) ? stand_in : errhandler);
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
