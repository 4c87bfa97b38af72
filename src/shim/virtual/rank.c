#include "shim/shim.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arch/system_call.h"
#include "shim/bodies/crash.h"
#include "shim/bodies/entry.h"
#include "shim/bodies/lacking.h"
#include "shim/bodies/library_error.h"
#include "shim/bodies/p2p.h"
#include "shim/bodies/probe.h"
#include "shim/bodies/requests.h"
#include "shim/bodies/send_buffer.h"
#include "shim/bodies/threads.h"
#include "shim/channel.h"
#include "shim/comm.h"
#include "shim/core/error.h"
#include "shim/core/fatal_handler.h"
#include "shim/core/library_code.h"
#include "shim/core/module.h"
#include "shim/core/refusal.h"
#include "shim/guard/region.h"
#include "shim/guard/variables.h"
#include "shim/noise.h"
#include "shim/objects/object.h"
#include "shim/process/library_threads.h"
#include "shim/process/tasks.h"
#include "shim/rest.h"
#include "shim/turns.h"
#include "shim/virtual/birth.h"
#include "shim/virtual/copy_obstacles.h"
#include "shim/virtual/cycle_counter.h"
#include "shim/virtual/departure.h"
#include "shim/virtual/early_crash.h"
#include "shim/virtual/environment_info.h"
#include "shim/virtual/failing_calls.h"
#include "shim/virtual/library_folders.h"
#include "shim/virtual/reduction_orders.h"
#include "shim/virtual/session.h"
#include "shim/virtual/session_users.h"

/*
 * The kernel lets a thread leave its process only if there is no other, and then does nothing.  To ask this takes much
 * less time than to look into /proc, where folders are made for a process that is looked up, and have to be removed.
 */
bool shim_is_single_thread(void)
{
    return own_call(SYS_unshare, (long)CLONE_THREAD) == 0;
}

void tourney_shim_refuse(const char *name, const void *caller)
{
    if (!entry_is_internal(caller))
        entry_refuse(call_by_name(lacking_plain_name(name)), caller);
}

void tourney_shim_miss(const char *name, const void *caller)
{
    entry_miss(call_by_name(lacking_plain_name(name)), caller);
}

/* Those of the MPI library are not copied with their rank. */
int shim_count_program_threads(void)
{
    return tasks_count() - (noise.copy ? 0 : shim.own_threads);
}

static bool program_has_threads(void)
{
    return !shim_is_single_thread() && shim_count_program_threads() > 1;
}

bool shim_has_threads(void)
{
    if (channel_head()->copied)
        return turns_are_taken();
    return shim.thread_level == MPI_THREAD_MULTIPLE && program_has_threads();
}

/* A thread that would communicate waits until the other one is out of its call, or is told of before that one sleeps. */
void shim_hear_thread(enum call call, const void *place)
{
    pthread_t talker = 0, self = pthread_self();
    if (!channel_head()->copied || turns_know_thread())
        return;
    if (!program_has_threads()) {
        if (noise.talker)
            noise.talker = 0;
        return;
    }
    if (atomic_compare_exchange_strong(&noise.talker, &talker, self) || pthread_equal(talker, self))
        return;
    noise.refused_call = (int)call;
    atomic_store(&noise.refused_place, place);
    pthread_mutex_lock(&noise.entry);
    shim_refuse_second_thread();
}

_Noreturn void shim_refuse_second_thread(void)
{
    shim.call = (enum call)noise.refused_call;
    shim.place = noise.refused_place;
    noise.talker = 0;
    refuse_because("in a second thread of its rank: use tourney run");
}

bool shim_can_be_copied(void)
{
    return !program_has_threads();
}

enum { LONGEST_START = 5000 }; /* ms: more than the longest wait for a processor */

static void tell_begin(void)
{
    const char *file;
    struct op op = {
        .kind = OP_INIT, .level = shim.thread_level, .offset = module_offset((const char *)shim.place - 1, &file) + 1};
    channel_post(&op, file, strlen(file) + 1);
}

static void come_up(int *argc, char ***argv, int required)
{
    const char *why = channel_open(getenv(WIRE_ENV));
    if (why)
        shim_give_up(why);
    early_crash_is_over();
    birth_open();
    uncopied_library_begins();
    int before = tasks_count();
    bool several = threads_of_program(before);
    library_folders_begin();
    bool rests = !channel_head()->copied; /* threads of a rank that is copied take turns instead */
    if (rests)
        library_threads_begin();
    int rc = real.Init_thread(argc, argv, required, &shim.thread_level);
    library_folders_end();
    if (rests)
        library_threads_are_up();
    uncopied_library_is_up();
    if (rc != MPI_SUCCESS)
        shim_give_up("the MPI library did not start as a single process");
    shim.main_thread = pthread_self();
    shim.own_threads = tasks_count() - before;
    if (shim.own_threads > 0 && channel_head()->copied && before == 1) /* who has others, which may never rest, is not copied */
        noise_wait_for_threads(LONGEST_START);
    if (before == 1)
        noise_note_only_thread();
    region_open();
    variables_open();
    session_users_look_early();
    shim.up = true;
    real_must(Comm_dup, MPI_COMM_SELF, &shim.self);
    real_must(Comm_set_errhandler, shim.self, MPI_ERRORS_RETURN);
    fatal_handler_open(library_error);
    crash_watch();
    leaving_watch();
    tell_begin();
    comm_open();
    environment_info_open();
    threads_open(several);
    cycle_counter_open();
    failing_calls_open();
    reduction_orders_open();
    turns_open();
    if (before > 1 && shim.thread_level >= MPI_THREAD_SERIALIZED)
        channel_tell_early_threads();
    channel_watch_kernel();
}

/* It had nothing open any more, and begins again. */
static void come_back(void)
{
    shim.rests = false;
    tell_begin();
}

static int initialize_world(int *argc, char ***argv, int required, int *provided)
{
    if (shim.initialized)
        return error_raise_for(NULL, MPI_ERR_OTHER, COMPLAINT_DOUBLE_INIT, "MPI is initialized already");
    if (!shim.up)
        come_up(argc, argv, required);
    else if (shim.rests)
        come_back();
    *provided = shim.thread_level;
    shim.initialized = true;
    shim.watched = shim.thread_level < MPI_THREAD_MULTIPLE || shim.has_sessions;
    comm_show_world(true);
    birth_meet_parents();
    return MPI_SUCCESS;
}

int body_Init(int *argc, char ***argv)
{
    int provided;
    return initialize_world(argc, argv, MPI_THREAD_SINGLE, &provided);
}

int body_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return initialize_world(argc, argv, required, provided);
}

static void tell_leaks(void)
{
    request_tell_leaks();
    probe_tell_leaks();
    object_tell_leaks();
    send_buffer_tell_attached();
}

static void tell_end(bool rests)
{
    struct op op = {.kind = OP_FINALIZE, .flags = OPF_WENT_ON, .rests = rests};
    channel_post(&op, NULL, 0);
}

/*
 * Sessions may come and go: as long as there may be another one, the library stays up.  With which
 * level of threads they come is no matter of others, so all get the highest.
 */
void rank_open_session(void)
{
    if (shim.over)
        refuse_because("after MPI_Finalize, where no part of the program refers to it by its name");
    if (!shim.up)
        come_up(NULL, NULL, MPI_THREAD_MULTIPLE);
    else if (shim.rests)
        come_back();
    shim.has_sessions = shim.watched = true;
    shim.sessions++;
}

static void rest_if_nothing_is_open(void)
{
    if (shim.sessions || (shim.initialized && !shim.finalized))
        return;
    tell_leaks();
    tell_end(true);
    shim.rests = true;
}

void rank_close_session(void)
{
    shim.sessions--;
    rest_if_nothing_is_open();
}

static int finalize_library(void)
{
    library_threads_go();
    return real.Finalize();
}

static int finalize_all(void)
{
    turns_end();
    tell_leaks();
    request_close();
    fatal_handler_close();
    int rc = channel_head()->copied ? MPI_SUCCESS : finalize_library();
    comm_close();
    tell_end(false);
    channel_leave();
    shim.over = true;
    return rc;
}

/*
 * Whether MPI_Finalize synchronises is free (M5: no data flows), so it does not.
 * Attribute callbacks on MPI_COMM_SELF come first: they may still communicate, and
 * free what would be a leak otherwise.
 */
int body_Finalize(void)
{
    int deleted = comm_delete_self_attributes(), rc = MPI_SUCCESS;
    bool stays = shim.has_sessions || session_may_follow();
    if (!stays)
        rc = finalize_all();
    shim.finalized = shim.watched = true;
    if (stays) {
        comm_show_world(false);
        rest_if_nothing_is_open();
    }
    return deleted != MPI_SUCCESS ? deleted : rc;
}

int body_Pcontrol(int level)
{
    if (shim.up) {
        struct op op = {.kind = OP_PCONTROL, .flags = OPF_WENT_ON, .level = level};
        channel_post(&op, NULL, 0);
    }
    return MPI_SUCCESS;
}

int body_Initialized(int *flag)
{
    *flag = shim.initialized;
    return MPI_SUCCESS;
}

int body_Finalized(int *flag)
{
    *flag = shim.finalized;
    return MPI_SUCCESS;
}

int body_Query_thread(int *provided)
{
    *provided = shim.thread_level;
    return MPI_SUCCESS;
}

int body_Is_thread_main(int *flag)
{
    *flag = pthread_equal(shim.main_thread, pthread_self());
    return MPI_SUCCESS;
}
