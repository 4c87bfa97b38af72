/*
 * A descriptor stands for another file.
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
    fd = open("/proc/self/exe", O_RDONLY);
}

static void change(void)
{
    int other = open("/dev/zero", O_RDWR);
    dup2(other, fd);
    close(other);
}

static int is_redirected(void)
{
    struct stat kind;
    return fstat(fd, &kind) == 0 && !S_ISREG(kind.st_mode);
}

static void check(void)
{
    volatile int unchanged = !(is_redirected());
    unchanged = 6 / unchanged; /* CRASH */
}
