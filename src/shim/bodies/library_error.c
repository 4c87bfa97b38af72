#include "shim/bodies/library_error.h"

#include <dlfcn.h>
#include <string.h>
#include <unwind.h>

#include "shim/bodies/entry.h"
#include "shim/core/error.h"
#include "shim/core/module.h"

/* Who called the library, and which of its functions. */
struct caller {
    const void *place;
    enum call call;
};

static enum call call_at_address(const void *address)
{
    Dl_info info;
    if (!dladdr(address, &info) || !info.dli_sname)
        return CALL_NONE;
    return call_by_name(info.dli_sname + (strncmp(info.dli_sname, "PMPI", 4) == 0));
}

static _Unwind_Reason_Code look_behind_library(struct _Unwind_Context *frame, void *arg)
{
    struct caller *caller = arg;
    const void *at = (const void *)_Unwind_GetIP(frame);
    enum module_kind kind = module_kind_at(at);
    if (kind != MODULE_LIBRARY && kind != MODULE_BINDING) {
        caller->place = at;
        return _URC_END_OF_STACK;
    }
    enum call call = call_at_address(at);
    if (call != CALL_NONE)
        caller->call = call;
    return _URC_NO_REASON;
}

/* The call may be one that passes by the shim: then there is no entry yet. */
void library_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    struct caller caller = {0};
    struct entry entry;
    _Unwind_Backtrace(look_behind_library, &caller);
    entry_begin(&entry, caller.call, caller.place);
    error_of_library(*code);
}
