#include "shim/bodies/crash.h"

#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#include "arch/registers.h"
#include "arch/system_call.h"
#include "shim/channel.h"
#include "shim/core/module.h"
#include "shim/gate/early_crash.h"
#include "shim/noise.h"
#include "shim/process/library_threads.h"

enum { DEPTH = 64 };

/*
 * The stack is told as addresses; tourney looks them up while this process still
 * exists, then lets it die of the signal as it would have.
 */
void crash_tell(int sig)
{
    static void *frame[DEPTH];
    for (int i = 0; i < FATAL_SIGNALS; i++)
        signal(fatal_signals[i], SIG_DFL);
    struct op op = {.kind = OP_CRASH, .code = sig};
    op.items = backtrace(frame, DEPTH);
    channel_abandon();
    channel_post(&op, frame, op.items * sizeof *frame);
    channel_sleep();
    raise(sig);
}

/*
 * The MPI library may take away code that a thread of its own has still to run: Open MPI 4 closes components in MPI_Finalize before the
 * thread of their events has ended.  The program has no part in that, and the thread is waited for: so it ends.  It ends by the system call, for
 * its stack leads through code that is gone, which nothing could go back through.
 */
static void end_thread_without_code(const siginfo_t *info, const ucontext_t *context)
{
    bool gone = info->si_signo == SIGSEGV && (uintptr_t)info->si_addr == registers_place(context);
    if (gone && library_threads_are_going() && library_threads_have((pid_t)own_call(SYS_gettid)))
        own_call(SYS_exit, 0L);
}

static crash_doer *doer;

/* Of instructions that it forbids the kernel says SI_KERNEL: no memory is at fault. */
bool crash_is_done(const siginfo_t *info, ucontext_t *context)
{
    end_thread_without_code(info, context);
    return info->si_signo == SIGSEGV && info->si_code == SI_KERNEL && doer && doer(context);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
    if (!crash_is_done(info, context))
        crash_tell(sig);
}

/* What MPI and Fortran's library would tell, we do. */
bool crash_is_free(int sig)
{
    struct sigaction now;
    sigaction(sig, NULL, &now);
    enum module_kind kind = module_kind_at((void *)now.sa_handler);
    return now.sa_handler == SIG_DFL || kind == MODULE_LIBRARY || kind == MODULE_RUNTIME;
}

void crash_load_unwinder(void)
{
    void *warm_up[1];
    backtrace(warm_up, 1);
}

void crash_watch(void)
{
    crash_load_unwinder();
    stack_t stack = {.ss_sp = noise.stack, .ss_size = sizeof noise.stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (int i = 0; i < FATAL_SIGNALS; i++)
        if (crash_is_free(fatal_signals[i]))
            sigaction(fatal_signals[i], &action, NULL);
}

/* After crash_watch. */
bool crash_lets_be_done(crash_doer *wanted)
{
    struct sigaction now;
    sigaction(SIGSEGV, NULL, &now);
    if (now.sa_sigaction != on_signal)
        return false;
    doer = wanted;
    return true;
}
