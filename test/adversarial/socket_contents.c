/*
 * A pair of sockets has a byte between them.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kernel_state.h"

static int end[2];

static void prepare(void)
{
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, end) < 0)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static void change(void)
{
    send(end[1], "x", 1, 0);
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
