/*
 * handlers -- functions of the program that handle SIGSEGV.
 *
 * tourney has the kernel raise that signal where the processor's counter is read (virtual/cycle_counter.h), and handles it.  A program
 * that comes with a handler of its own later on must not hear of that: it would take it for a fault of its own.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>

#include "shim/gate/kept_state.h"

#define EXPORTED __attribute__((visibility("default")))

static struct {
    int (*sigaction)(int, const struct sigaction *, struct sigaction *);
    sighandler_t (*signal)(int, sighandler_t);
} next;

__attribute__((constructor)) static void find_next_handling(void)
{
    if (next.signal)
        return;
    *(void **)&next.sigaction = dlsym(RTLD_NEXT, "sigaction");
    *(void **)&next.signal = dlsym(RTLD_NEXT, "signal");
}

static void expect_handler(int sig)
{
    find_next_handling();
    if (sig == SIGSEGV && tourney_gate_kept.handles_faults)
        tourney_gate_kept.handles_faults();
}

EXPORTED int sigaction(int sig, const struct sigaction *restrict new, struct sigaction *restrict old)
{
    expect_handler(new ? sig : 0);
    return next.sigaction(sig, new, old);
}

EXPORTED sighandler_t signal(int sig, sighandler_t handler)
{
    expect_handler(sig);
    return next.signal(sig, handler);
}
