/*
 * A timer with a descriptor is armed.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "kernel_state.h"

static int fd;

static void prepare(void)
{
    fd = timerfd_create(CLOCK_MONOTONIC, 0);
}

static void change(void)
{
    struct itimerspec late = {.it_value = {.tv_sec = 10000}};
    timerfd_settime(fd, 0, &late, NULL);
}

static int is_armed(void)
{
    struct itimerspec now;
    return timerfd_gettime(fd, &now) == 0 && now.it_value.tv_sec > 0;
}

static void check(void)
{
    volatile int unchanged = !(is_armed());
    unchanged = 6 / unchanged; /* CRASH */
}
