#include "shim/virtual/callers.h"

#include <unwind.h>

#include "shim/core/module.h"
#include "shim/core/script.h"
#include "shim/shim.h"

struct callers {
    uint64_t *address;
    size_t n, most;
};

static _Unwind_Reason_Code add_caller_address(struct _Unwind_Context *frame, void *arg)
{
    struct callers *callers = arg;
    uintptr_t at = _Unwind_GetIP(frame);
    enum module_kind kind = at ? module_kind_at((const void *)at) : MODULE_LIBRARY;
    if (kind != MODULE_LIBRARY && kind != MODULE_BINDING)
        callers->address[callers->n++] = at;
    return callers->n < callers->most ? _URC_NO_REASON : _URC_END_OF_STACK;
}

size_t callers_find(uint64_t *address, size_t most)
{
    if (script_at(shim.place))
        return script_places(address, most);
    struct callers callers = {.address = address, .most = most};
    _Unwind_Backtrace(add_caller_address, &callers);
    return callers.n;
}
