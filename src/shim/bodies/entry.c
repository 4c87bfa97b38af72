#include "shim/bodies/entry.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include "shim/bodies/threads.h"
#include "shim/channel.h"
#include "shim/comm.h"
#include "shim/core/complaint.h"
#include "shim/core/error.h"
#include "shim/core/module.h"
#include "shim/core/refusal.h"
#include "shim/core/script.h"
#include "shim/coverage_call.h"
#include "shim/guard/guard.h"
#include "shim/library/maker.h"
#include "shim/noise.h"
#include "shim/private_copies.h"
#include "shim/rest.h"
#include "shim/shim.h"
#include "shim/turns.h"

/* One thread at a time (noise.entry); those that wait let others in (shim_has_threads).  Callbacks re-enter. */
static __thread struct entry *innermost;

bool entry_is_internal(const void *place)
{
    return module_kind_at(place) == MODULE_LIBRARY;
}

struct caller_search {
    const void *found;
    bool seen_binding;
};

static _Unwind_Reason_Code look_behind_binding(struct _Unwind_Context *frame, void *arg)
{
    struct caller_search *search = arg;
    const void *at = (const void *)_Unwind_GetIP(frame);
    if (module_kind_at(at) == MODULE_BINDING) {
        search->seen_binding = true;
    } else if (search->seen_binding) {
        search->found = at;
        return _URC_END_OF_STACK;
    }
    return _URC_NO_REASON;
}

/* The line that the user wrote: for Fortran the caller of the binding, for Python that of the script. */
static const void *user_place(const void *place)
{
    enum module_kind kind = module_kind_at(place);
    const void *line = kind == MODULE_PYTHON ? script_place() : NULL;
    if (kind != MODULE_BINDING)
        return line ? line : place;
    struct caller_search search = {.found = place};
    _Unwind_Backtrace(look_behind_binding, &search);
    return search.found;
}

/* False: another thread was in a call at that moment. */
static bool lock_entry(void)
{
    bool alone = pthread_mutex_trylock(&noise.entry) == 0;
    if (!alone)
        pthread_mutex_lock(&noise.entry);
    rest_interrupt();
    return alone;
}

/* Less than MPI_THREAD_MULTIPLE is provided. */
static void check_thread(bool alone)
{
    if (shim.thread_level == MPI_THREAD_SERIALIZED && (!alone || turns_other_is_inside()))
        complain(COMPLAINT_THREAD_LEVEL,
                 "%s is called while another thread is in a call; MPI_THREAD_SERIALIZED was provided",
                 call_name(shim.call));
    if (shim.thread_level == MPI_THREAD_SINGLE)
        threads_tell();
    if (shim.thread_level < MPI_THREAD_SERIALIZED && !pthread_equal(shim.main_thread, pthread_self()))
        complain(COMPLAINT_THREAD_LEVEL, "%s is called by another thread than MPI_Init; %s was provided",
                 call_name(shim.call),
                 shim.thread_level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "MPI_THREAD_SINGLE");
}

static void check_time(enum call call)
{
    bool begins = call == CALL_Init || call == CALL_Init_thread;
    if (shim.finalized && begins)
        error_fatal(COMPLAINT_DOUBLE_INIT, "is called after MPI_Finalize: MPI cannot be started again");
    if (begins || shim.sessions)
        return;
    if (!shim.initialized && !shim.has_sessions)
        error_fatal(COMPLAINT_BEFORE_INIT, "is called before MPI_Init");
    if (!shim.initialized)
        error_fatal(COMPLAINT_AFTER_FINALIZE, "is called after MPI_Session_finalize, and no session is open");
    if (shim.finalized)
        error_fatal(COMPLAINT_AFTER_FINALIZE, "is called after MPI_Finalize");
}

static bool communicates(enum call call)
{
    return call_policy(call) == POLICY_DECIDE && !call_is_always_allowed(call) && call != CALL_Finalize &&
           shim.up;
}

void entry_begin(struct entry *entry, enum call call, const void *place)
{
    if (shim.has_windows)
        guard_pause(); /* the fence may be around this very stack */
    const void *users = user_place(place); /* before: whoever is inside may wait for the lock of Python, too */
    if (shim.thread_level == MPI_THREAD_MULTIPLE && communicates(call))
        shim_hear_thread(call, users); /* who is inside may sleep there until this thread has done something */
    struct entry **inner = &innermost; /* to find it takes the loader some time */
    bool alone = *inner || lock_entry();
    *entry = (struct entry){.call = call, .place = users, .outer = *inner};
    *inner = entry;
    shim.call = call;
    shim.place = entry->place;
    shim.bound = entry->place != place;
    if (shim.watched && !call_is_always_allowed(call)) {
        check_time(call);
        if (shim.initialized && !shim.has_sessions) /* each session has a level of its own */
            check_thread(alone);
    }
    if (tourney_coverage_call && !entry->outer)
        tourney_coverage_call(users);
    if (!entry->outer) {
        guard_enter();
        if (shim.has_windows && communicates(call)) {
            private_copies_publish();
            shim.has_news = false;
        }
    }
    noise_wipe_stack(); /* of what the program left there */
}

void entry_end(struct entry *entry)
{
    while (entry->scratch) {
        void **block = entry->scratch;
        entry->scratch = *block;
        free(block);
    }
    innermost = entry->outer;
    if (innermost) {
        shim.call = innermost->call;
        shim.place = innermost->place;
    } else {
        if (shim.has_windows && shim.has_news && !shim.over)
            private_copies_refresh();
        guard_leave();
        pthread_mutex_unlock(&noise.entry);
    }
}

bool entry_is_open(void)
{
    return innermost;
}

void *entry_scratch(struct entry *entry, size_t bytes)
{
    void **block = shim_alloc(sizeof(max_align_t) + bytes);
    *block = entry->scratch;
    entry->scratch = block;
    return (char *)block + sizeof(max_align_t);
}

void entry_resume_call(void)
{
    if (!innermost)
        return;
    shim.call = innermost->call;
    shim.place = innermost->place;
}

void entry_let_others_in(void)
{
    channel_forget_grants(); /* what is asked again is really asked: another thread may bring it about */
    pthread_mutex_unlock(&noise.entry);
}

void entry_come_back(void)
{
    pthread_mutex_lock(&noise.entry);
    rest_interrupt();
    entry_resume_call();
}

void entry_yield(void)
{
    if (turns_are_taken()) {
        turns_yield();
        return;
    }
    entry_let_others_in();
    usleep(20);
    entry_come_back();
}

/* Calls that are always allowed come here before MPI_Init and after MPI_Finalize, too: then nobody can handle it. */
int entry_null(struct entry *entry, MPI_Comm comm, int error_class, const char *parameter)
{
    if (!library_maker->has_classes_of_null)
        error_class = MPI_ERR_ARG;
    if (!shim.up || shim.over) {
        char text[80];
        snprintf(text, sizeof text, "the argument %s is a null pointer", parameter);
        error_fatal(COMPLAINT_INVALID_ARGUMENT, text);
    }
    struct comm *known = comm == MPI_COMM_NULL ? NULL : comm_find(comm);
    int rc = error_argument(known, error_class, "the argument %s is a null pointer", parameter);
    entry_end(entry);
    return rc;
}

/* May be the first call of the program: then tourney has not heard of this rank yet. */
static void speak_up(void)
{
    const char *why = shim.up ? NULL : channel_open(getenv(WIRE_ENV));
    if (why)
        shim_give_up(why);
    if (shim.over)
        channel_return();
}

static _Noreturn void refuse_entry(enum call call, const void *place, const char *reason)
{
    shim.call = call;
    shim.place = user_place(place);
    speak_up();
    refuse_because(reason);
}

_Noreturn void entry_refuse(enum call call, const void *place)
{
    refuse_entry(call, place, "by tourney");
}

_Noreturn void entry_miss(enum call call, const void *place)
{
    refuse_entry(call, place, "by this MPI library, which does not have it");
}
