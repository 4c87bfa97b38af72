#include "world/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"

enum {
    BEGINNING = 300,   /* milliseconds until something has come, if something comes */
    MOST = 1 << 30,    /* bytes */
    AT_A_TIME = 1 << 16,
};

static bool is_pipe(void)
{
    struct stat kind;
    return fstat(0, &kind) == 0 && (S_ISFIFO(kind.st_mode) || S_ISSOCK(kind.st_mode));
}

/* A byte, or the end. */
static bool input_has_begun(void)
{
    struct pollfd ready = {.fd = 0, .events = POLLIN};
    int n;
    while ((n = poll(&ready, 1, BEGINNING)) < 0 && errno == EINTR)
        ;
    return n > 0;
}

/* 0: the end. */
static size_t read_some(char *bytes)
{
    ssize_t n;
    while ((n = read(0, bytes, AT_A_TIME)) < 0)
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            poll(&(struct pollfd){.fd = 0, .events = POLLIN}, 1, -1);
        else if (errno != EINTR)
            die("standard input: %s", strerror(errno));
    return (size_t)n;
}

static void write_input_copy(int to, const char *bytes, size_t n)
{
    while (n) {
        ssize_t done = write(to, bytes, n);
        if (done < 0 && errno != EINTR)
            die("standard input cannot be kept: %s; put it into a file", strerror(errno));
        bytes += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
}

void input_keep(bool quiet)
{
    static char bytes[AT_A_TIME];
    size_t all = 0, n;
    if (!is_pipe())
        return;
    if (!input_has_begun()) {
        if (!quiet)
            fputs("tourney: nothing has come through standard input so far, so ranks find it empty\n", stderr);
        return;
    }
    int kept = memfd_create("input", MFD_CLOEXEC);
    if (kept < 0)
        die("standard input cannot be kept: %s", strerror(errno));
    while ((n = read_some(bytes))) {
        if ((all += n) > MOST)
            die("more than %d MB come through standard input; put them into a file", MOST >> 20);
        write_input_copy(kept, bytes, n);
    }
    lseek(kept, 0, SEEK_SET);
    dup2(kept, 0);
    close(kept);
}

int input_reopen(void)
{
    struct stat kind;
    if (fstat(0, &kind) < 0 || !S_ISREG(kind.st_mode))
        return -1;
    int input = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
    lseek(input, lseek(0, 0, SEEK_CUR), SEEK_SET);
    return input;
}
