/*
 * A pipe has a byte in it.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <sys/ioctl.h>
#include <unistd.h>

#include "kernel_state.h"

static int end[2];

static void prepare(void)
{
    if (pipe(end) < 0)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static void change(void)
{
    if (write(end[1], "x", 1) != 1)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static int waiting(int fd)
{
    int bytes = 0;
    return ioctl(fd, FIONREAD, &bytes) == 0 ? bytes : 0;
}

static void check(void)
{
    volatile int unchanged = !(waiting(end[0]));
    unchanged = 6 / unchanged; /* CRASH */
}
