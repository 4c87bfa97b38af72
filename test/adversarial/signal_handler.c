/*
 * A signal has another handler, which only the kernel knows.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <signal.h>

#include "kernel_state.h"

static volatile int count, dropped;

static void count_it(int signal)
{
    (void)signal;
    count++;
}

static void drop_it(int signal)
{
    (void)signal;
    dropped++;
}

static void prepare(void)
{
    signal(SIGUSR1, count_it);
}

static void change(void)
{
    signal(SIGUSR1, drop_it);
}

static void check(void)
{
    volatile int unchanged = !((raise(SIGUSR1), dropped));
    unchanged = 6 / unchanged; /* CRASH */
}
