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
#include "shim/virtual/copy_obstacles.h"
#include "shim/virtual/departure.h"

/*
 * The kernel lets a thread leave its process only if there is no other, and then does nothing.  To ask this takes much
 * less time than to look into /proc, where folders are made for a process that is looked up, and have to be removed.
 */
bool shim_is_single_thread(void)
{
    return own_call(SYS_unshare, (long)CLONE_THREAD) == 0;
}

/* Whether the program has started threads; those of the MPI library are not copied with their rank. */
static bool program_has_threads(void)
{
    return !shim_is_single_thread() && shim_count_threads() > (noise.copy ? 1 : 1 + shim.own_threads);
}

bool shim_has_threads(void)
{
    bool several = shim.thread_level == MPI_THREAD_MULTIPLE && program_has_threads();
    if (several && channel_head()->copied)
        refuse_because("while the rank has several threads: use tourney run");
    return several;
}

bool shim_can_be_copied(void)
{
    return !program_has_threads();
}

static int come_up_under_tourney(int *argc, char ***argv, int required, int *provided)
{
    if (shim.initialized)
        return error_raise_for(NULL, MPI_ERR_OTHER, COMPLAINT_DOUBLE_INIT, "MPI is initialized already");
    const char *why = channel_open(getenv(WIRE_ENV));
    if (why)
        shim_give_up(why);
    uncopied_library_begins();
    int before = shim_count_threads();
    bool several = threads_of_program(before);
    int rc = real.Init_thread(argc, argv, required, &shim.thread_level);
    uncopied_library_is_up();
    if (rc != MPI_SUCCESS)
        shim_give_up("the MPI library did not start as a single process");
    *provided = shim.thread_level;
    shim.main_thread = pthread_self();
    shim.own_threads = shim_count_threads() - before;
    if (shim.own_threads > 0 && channel_head()->copied)
        noise_wait_for_threads();
    region_open();
    variables_open();
    shim.initialized = true;
    shim.watched = shim.thread_level < MPI_THREAD_MULTIPLE;
    real_must(Comm_dup, MPI_COMM_SELF, &shim.self);
    real_must(Comm_set_errhandler, shim.self, MPI_ERRORS_RETURN);
    fatal_handler_open(library_error);
    crash_watch();
    leaving_watch();
    const char *file;
    struct op op = {
        .kind = OP_INIT, .level = shim.thread_level, .offset = module_offset((const char *)shim.place - 1, &file) + 1};
    channel_post(&op, file, strlen(file) + 1);
    comm_open();
    threads_open(several);
    channel_watch_kernel();
    return MPI_SUCCESS;
}

int body_Init(int *argc, char ***argv)
{
    int provided;
    return come_up_under_tourney(argc, argv, MPI_THREAD_SINGLE, &provided);
}

int body_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return come_up_under_tourney(argc, argv, required, provided);
}

/*
 * Whether MPI_Finalize synchronises is free (M5: no data flows), so it does not.
 * Attribute callbacks on MPI_COMM_SELF come first: they may still communicate, and
 * free what would be a leak otherwise.
 */
int body_Finalize(void)
{
    int deleted = comm_delete_self_attributes();
    request_tell_leaks();
    probe_tell_leaks();
    object_tell_leaks();
    send_buffer_tell_attached();
    request_close();
    fatal_handler_close();
    int rc = channel_head()->copied ? MPI_SUCCESS : real.Finalize();
    comm_close();
    struct op op = {.kind = OP_FINALIZE, .flags = OPF_WENT_ON};
    channel_post(&op, NULL, 0);
    channel_leave();
    shim.finalized = shim.watched = true;
    return deleted != MPI_SUCCESS ? deleted : rc;
}

int body_Pcontrol(int level)
{
    if (shim.initialized) {
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
