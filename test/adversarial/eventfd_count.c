/*
 * A counter of the kernel counts.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "kernel_state.h"

static int fd;

static void prepare(void)
{
    fd = eventfd(0, EFD_NONBLOCK);
}

static void change(void)
{
    eventfd_write(fd, 1);
}

static eventfd_t count;

static void check(void)
{
    volatile int unchanged = !(eventfd_read(fd, &count) == 0);
    unchanged = 6 / unchanged; /* CRASH */
}
