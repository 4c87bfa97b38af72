/*
 * A file is set to append.
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
    fcntl(fd, F_SETFL, O_APPEND);
}

static void check(void)
{
    volatile int unchanged = !(fcntl(fd, F_GETFL) & O_APPEND);
    unchanged = 6 / unchanged; /* CRASH */
}
