/*
 * A timer counts the time of the process.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/time.h>

#include "kernel_state.h"

static void prepare(void)
{
}

static void change(void)
{
    struct itimerval late = {.it_value = {.tv_sec = 10000}};
    setitimer(ITIMER_VIRTUAL, &late, NULL);
}

static int is_armed(void)
{
    struct itimerval now;
    return getitimer(ITIMER_VIRTUAL, &now) == 0 && now.it_value.tv_sec > 0;
}

static void check(void)
{
    volatile int unchanged = !(is_armed());
    unchanged = 6 / unchanged; /* CRASH */
}
