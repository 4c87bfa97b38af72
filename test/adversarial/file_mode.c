/*
 * A file may be read by others.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
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
    fchmod(fd, 0644);
}

static mode_t mode(void)
{
    struct stat kind;
    return fstat(fd, &kind) == 0 ? kind.st_mode : 0;
}

static void check(void)
{
    volatile int unchanged = !(mode() & 0044);
    unchanged = 6 / unchanged; /* CRASH */
}
