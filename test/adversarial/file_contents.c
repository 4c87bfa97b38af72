/*
 * A file has other contents, of the same size, and is read from the same place on.
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
    fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    if (write(fd, "0123456789", 10) != 10 || lseek(fd, 0, SEEK_SET) != 0)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static void change(void)
{
    if (pwrite(fd, "x", 1, 3) != 1)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static char byte_at(off_t place)
{
    char byte = 0;
    return pread(fd, &byte, 1, place) == 1 ? byte : 0;
}

static void check(void)
{
    volatile int unchanged = !(byte_at(3) == 'x');
    unchanged = 6 / unchanged; /* CRASH */
}
