#include "shim/virtual/failing_calls.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "shim/bodies/alternative.h"
#include "shim/bodies/entry.h"
#include "shim/channel.h"
#include "shim/core/module.h"
#include "shim/faults/door.h"
#include "shim/shim.h"

static struct {
    uint32_t set;  /* of enum fault */
    uint32_t most; /* places */
    uint32_t n;    /* that were asked about */
    bool is_over;  /* one has failed, or there are too many */
    bool busy;     /* somebody is being asked */
    struct {
        uintptr_t place;
        enum fault kind;
    } known[FAULT_MOST_PLACES];
} calls;

struct place_search {
    enum fault fault;
    const void *found;
    bool seen_runtime; /* before that, it is the shim itself */
};

/* Fortran's library has no answer to a lack of memory for itself but to end the program, which then waits for a lock of its own. */
static bool is_for_itself(enum fault fault, const void *at)
{
    const char *path;
    module_offset(at, &path);
    return fault == FAULT_MALLOC && strstr(path, "/libgfortran.so");
}

static _Unwind_Reason_Code look_behind_runtime(struct _Unwind_Context *frame, void *data)
{
    struct place_search *search = data;
    const void *at = (const void *)_Unwind_GetIP(frame);
    enum module_kind kind = at ? module_kind_at(at) : MODULE_LIBRARY;
    if (kind == MODULE_LIBRARY && !search->seen_runtime)
        return _URC_NO_REASON;
    if (kind == MODULE_RUNTIME && !is_for_itself(search->fault, at)) {
        search->seen_runtime = true;
        return _URC_NO_REASON;
    }
    search->found = kind == MODULE_PROGRAM || kind == MODULE_SHARED || kind == MODULE_PYTHON ? at : NULL;
    return _URC_END_OF_STACK;
}

/* From where the program has asked for it; NULL: it has not, the MPI library has. */
static const void *place_in_program(enum fault fault, const void *caller)
{
    enum module_kind kind = module_kind_at(caller);
    if (kind != MODULE_RUNTIME)
        return kind == MODULE_LIBRARY || kind == MODULE_BINDING ? NULL : caller;
    struct place_search search = {.fault = fault};
    _Unwind_Backtrace(look_behind_runtime, &search);
    return search.found;
}

static bool is_known_place(enum fault kind, const void *place)
{
    uint32_t i = 0;
    while (i < calls.n && (calls.known[i].place != (uintptr_t)place || calls.known[i].kind != kind))
        i++;
    return i < calls.n;
}

static const char *words_of_error(int error)
{
    switch (error) {
    case ENOMEM:
        return "cannot allocate memory";
    case ENOENT:
        return "no such file or directory";
    case EACCES:
        return "permission denied";
    case ENOSPC:
        return "no space left on device";
    default:
        return "input/output error";
    }
}

static bool ask_whether_it_fails(const char *call, int error, const void *place, uint32_t alternatives)
{
    struct entry entry;
    char text[96];
    snprintf(text, sizeof text, "%s!fails: %s", call, words_of_error(error));
    entry_begin(&entry, CALL_Pcontrol, place);
    struct op op = {.kind = OP_CHOOSE, .flags = OPF_ONCE, .peer = RANK_NONE, .items = alternatives};
    bool fails = alternative_ask(&op, text) == 1;
    entry_end(&entry);
    return fails;
}

static bool fails_at(enum fault kind, const char *call, int error, const void *place)
{
    if (!place || is_known_place(kind, place))
        return false;
    bool fits = calls.n < calls.most;
    if (fits) {
        calls.known[calls.n].place = (uintptr_t)place;
        calls.known[calls.n++].kind = kind;
    }
    bool fails = ask_whether_it_fails(call, error, place, fits ? 2 : 1);
    calls.is_over = fails || !fits;
    return fails;
}

static bool is_time_for_failures(void)
{
    return shim.up && !shim.over && !shim.rests && (shim.initialized || shim.sessions) && !entry_is_open() &&
           pthread_equal(shim.main_thread, pthread_self());
}

static bool fails_here(enum fault kind, const char *call, int error, const void *caller)
{
    if (calls.is_over || calls.busy || !(calls.set >> kind & 1) || !is_time_for_failures())
        return false;
    int before = errno;
    calls.busy = true;
    shim.in_runtime = module_kind_at(caller) == MODULE_RUNTIME;
    bool fails = fails_at(kind, call, error, place_in_program(kind, caller));
    calls.busy = shim.in_runtime = false;
    errno = before;
    return fails;
}

void failing_calls_open(void)
{
    const char *text = getenv(WIRE_ENV_FAULTS), *list = text ? strchr(text, ':') : NULL;
    struct fault_door *door = list ? dlsym(RTLD_DEFAULT, FAULT_DOOR_NAME) : NULL;
    if (!door || !channel_head()->copied)
        return;
    calls.set = fault_set(list + 1);
    calls.most = (uint32_t)atoi(text);
    if (calls.most > FAULT_MOST_PLACES)
        calls.most = FAULT_MOST_PLACES;
    door->fails = fails_here;
}
