#include "shim/crash.h"

#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

#include "shim/channel.h"
#include "shim/module.h"

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { FATAL = sizeof fatal / sizeof *fatal, DEPTH = 64, STACK = 1 << 16 };

/*
 * The stack is told as addresses; tourney looks them up while this process still
 * exists, then lets it die of the signal as it would have.
 */
static void tell(int sig)
{
    static void *frame[DEPTH];
    for (int i = 0; i < FATAL; i++)
        signal(fatal[i], SIG_DFL);
    struct op op = {.kind = OP_CRASH, .tag = sig};
    op.items = backtrace(frame, DEPTH);
    channel_abandon();
    channel_post(&op, frame, op.items * sizeof *frame);
    channel_sleep();
    raise(sig);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
    (void)info, (void)context;
    tell(sig);
}

static bool is_taken(const struct sigaction *action)
{
    return action->sa_handler != SIG_DFL && module_kind_at((void *)action->sa_handler) != MODULE_LIBRARY;
}

void crash_watch(void)
{
    void *warm_up[1];
    backtrace(warm_up, 1); /* loads the unwinder, which allocates */
    stack_t stack = {.ss_sp = shim_alloc(STACK), .ss_size = STACK};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for (int i = 0; i < FATAL; i++) {
        struct sigaction old;
        sigaction(fatal[i], NULL, &old);
        if (!is_taken(&old))
            sigaction(fatal[i], &action, NULL);
    }
}
