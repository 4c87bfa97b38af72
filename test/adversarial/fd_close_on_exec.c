/*
 * A descriptor is set to be closed by exec.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

#include "kernel_state.h"

static int fd;

static void prepare(void)
{
    fd = open("/proc/self/exe", O_RDONLY);
}

static void change(void)
{
    fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static void check(void)
{
    volatile int unchanged = !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    unchanged = 6 / unchanged; /* CRASH */
}
