#include "shim/bodies/threads.h"

#include <stdatomic.h>
#include <unwind.h>

#include "shim/core/complaint.h"
#include "shim/core/module.h"
#include "shim/gate/threads.h"
#include "shim/shim.h"

/* Of the preloaded library. */
#pragma weak tourney_thread_hook
#pragma weak tourney_thread_callers

static enum call initialized_by;
static const void *_Atomic started_at; /* by the program; told at the next call */

struct creator {
    int frames;
    const void *place;
};

/* The runtime of a language starts threads for whoever called it; what other libraries start is their affair. */
static _Unwind_Reason_Code look_for_creator(struct _Unwind_Context *frame, void *arg)
{
    struct creator *creator = arg;
    const void *at = (const void *)_Unwind_GetIP(frame);
    enum module_kind kind = module_kind_at((const char *)at - 1);
    if (creator->frames++ < 2 && kind == MODULE_LIBRARY)
        return _URC_NO_REASON; /* this library, and the one that is preloaded */
    if (kind == MODULE_RUNTIME)
        return _URC_NO_REASON;
    creator->place = kind == MODULE_PROGRAM ? at : NULL;
    return _URC_END_OF_STACK;
}

static void note_creator(void)
{
    struct creator creator = {0};
    if (!shim.initialized || shim.finalized || started_at)
        return;
    _Unwind_Backtrace(look_for_creator, &creator);
    started_at = creator.place;
}

/* One of the threads must be the program's own if others were not started as often. */
bool threads_of_program(int threads)
{
    enum { MOST = 64 };
    const void *caller[MOST];
    if (threads < 2 || !tourney_thread_callers)
        return false;
    size_t n = tourney_thread_callers(caller, MOST), others = 0;
    for (size_t i = 0; i < n && i < MOST; i++)
        others += module_kind_at(caller[i]) != MODULE_PROGRAM;
    return n <= MOST && (size_t)threads > 1 + others;
}

void threads_open(bool several)
{
    if (!&tourney_thread_hook || shim.thread_level != MPI_THREAD_SINGLE)
        return;
    initialized_by = shim.call;
    if (several)
        complain(COMPLAINT_THREADS_UNDER_SINGLE,
                 "the program has several threads when it calls %s, and MPI_THREAD_SINGLE was provided", call_name(shim.call));
    tourney_thread_hook = note_creator;
}

void threads_tell(void)
{
    const void *place = started_at;
    if (!place)
        return;
    complain_at(COMPLAINT_THREADS_UNDER_SINGLE, initialized_by, place, 1,
                "a thread is started here, and MPI_THREAD_SINGLE was provided");
    tourney_thread_hook = NULL;
    started_at = NULL;
}
