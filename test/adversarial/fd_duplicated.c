/*
 * A descriptor has a duplicate, which nobody has noted.
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
    if (fcntl(fd, F_DUPFD, 200) < 0)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static void check(void)
{
    volatile int unchanged = !(fcntl(200, F_GETFD) >= 0);
    unchanged = 6 / unchanged; /* CRASH */
}
