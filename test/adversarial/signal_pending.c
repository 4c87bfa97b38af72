/*
 * A signal that is blocked has come.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1-2
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "kernel_state.h"

static void prepare(void)
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    sigprocmask(SIG_BLOCK, &one, NULL);
}

static void change(void)
{
    raise(SIGUSR1);
}

static int is_pending(void)
{
    sigset_t now;
    return sigpending(&now) == 0 && sigismember(&now, SIGUSR1);
}

static void check(void)
{
    volatile int unchanged = !(is_pending());
    unchanged = 6 / unchanged; /* CRASH */
}
