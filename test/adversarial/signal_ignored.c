/*
 * A signal is ignored.
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
    signal(SIGUSR1, SIG_IGN);
}

static int is_ignored(void)
{
    struct sigaction now;
    return sigaction(SIGUSR1, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void check(void)
{
    volatile int unchanged = !(is_ignored());
    unchanged = 6 / unchanged; /* CRASH */
}
