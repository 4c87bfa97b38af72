/*
 * There is a timer of POSIX.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <signal.h>
#include <time.h>

#include "kernel_state.h"

static void prepare(void)
{
}

static void change(void)
{
    struct sigevent none = {.sigev_notify = SIGEV_NONE};
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &none, &timer);
}

static int is_made(void)
{
    struct itimerspec now;
    return timer_gettime((timer_t)0, &now) == 0;
}

static void check(void)
{
    volatile int unchanged = !(is_made());
    unchanged = 6 / unchanged; /* CRASH */
}
