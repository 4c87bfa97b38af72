/*
 * Memory without a name, which is no memory of the process, has other contents.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel_state.h"

static int fd;

static void prepare(void)
{
    fd = memfd_create("contents", 0);
    if (ftruncate(fd, 4096) < 0)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static void change(void)
{
    if (pwrite(fd, "x", 1, 7) != 1)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static char byte_at(off_t place)
{
    char byte = 0;
    return pread(fd, &byte, 1, place) == 1 ? byte : 0;
}

static void check(void)
{
    volatile int unchanged = !(byte_at(7) == 'x');
    unchanged = 6 / unchanged; /* CRASH */
}
