/*
 * A signal is blocked.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>

#include "kernel_state.h"

static void prepare(void)
{
}

static void change(void)
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    sigprocmask(SIG_BLOCK, &one, NULL);
}

static int is_blocked(void)
{
    sigset_t now;
    return sigprocmask(SIG_BLOCK, NULL, &now) == 0 && sigismember(&now, SIGUSR1);
}

static void check(void)
{
    volatile int unchanged = !(is_blocked());
    unchanged = 6 / unchanged; /* CRASH */
}
