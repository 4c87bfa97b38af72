#include "world/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"

enum { KEPT = 4096 };

/* Of one rank; the byte number i is at i % KEPT. */
struct heard {
    _Atomic uint32_t busy; /* something was taken from the pipe that is not here yet */
    uint64_t bytes;
    char text[KEPT];
};

struct listener {
    int ranks;
    pid_t pid;
    int (*pipe)[2];      /* owns; by rank */
    struct heard *heard; /* shared with the child; by rank */
};

static void keep_heard(struct heard *heard, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        heard->text[heard->bytes++ % KEPT] = text[i];
}

/* False: nobody will write there any more. */
static bool hear_pipe(struct heard *heard, int from)
{
    char text[KEPT];
    atomic_store(&heard->busy, 1);
    ssize_t n = read(from, text, sizeof text);
    keep_heard(heard, text, n > 0 ? (size_t)n : 0);
    atomic_store(&heard->busy, 0);
    return n > 0 || (n < 0 && errno == EINTR);
}

static _Noreturn void listen_to_ranks(struct listener *listener)
{
    unsigned ranks = (unsigned)listener->ranks;
    struct pollfd *watched = xcalloc(ranks, sizeof *watched);
    int open = listener->ranks;
    for (int sig = 1; sig < NSIG; sig++)
        signal(sig, SIG_IGN);
    for (rank_t r = 0; r < listener->ranks; r++) {
        watched[r] = (struct pollfd){.fd = listener->pipe[r][0], .events = POLLIN};
        close(listener->pipe[r][1]);
    }
    while (open && (poll(watched, ranks, -1) > 0 || errno == EINTR))
        for (rank_t r = 0; r < listener->ranks; r++) {
            if (watched[r].fd < 0 || !watched[r].revents || hear_pipe(&listener->heard[r], watched[r].fd))
                continue;
            watched[r].fd = -1;
            open--;
        }
    _exit(0);
}

struct listener *listener_start(int ranks)
{
    struct listener *listener = xcalloc(1, sizeof *listener);
    size_t room = (size_t)ranks * sizeof *listener->heard;
    listener->ranks = ranks;
    listener->pipe = xcalloc((size_t)ranks, sizeof *listener->pipe);
    listener->heard = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (listener->heard == MAP_FAILED)
        die("no shared memory: %s", strerror(errno));
    for (rank_t r = 0; r < ranks; r++)
        if (pipe2(listener->pipe[r], O_CLOEXEC) < 0)
            die("cannot make a pipe: %s (too many ranks for ulimit -n?)", strerror(errno));
    if ((listener->pid = fork()) < 0)
        die("cannot start a process: %s", strerror(errno));
    if (listener->pid == 0)
        listen_to_ranks(listener);
    for (rank_t r = 0; r < ranks; r++)
        close(listener->pipe[r][0]);
    return listener;
}

void listener_end(struct listener *listener)
{
    for (rank_t r = 0; r < listener->ranks; r++)
        close(listener->pipe[r][1]);
    kill(listener->pid, SIGKILL); /* whom a rank has started and left may hold the pipe */
    while (waitpid(listener->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    munmap(listener->heard, (size_t)listener->ranks * sizeof *listener->heard);
    free(listener->pipe);
    free(listener);
}

pid_t listener_process(const struct listener *listener)
{
    return listener->pid;
}

int listener_ear(const struct listener *listener, rank_t r)
{
    return listener->pipe[r][1];
}

/* The pipe is looked at first: what is taken out of it meanwhile makes the child busy. */
static bool is_all_heard(const struct listener *listener, rank_t r)
{
    int left = 0;
    return ioctl(listener->pipe[r][1], FIONREAD, &left) < 0 || (!left && !atomic_load(&listener->heard[r].busy));
}

char *listener_heard(const struct listener *listener, rank_t r)
{
    enum { PATIENCE = 500 }; /* ms; one that is still there may go on writing */
    const struct heard *heard = &listener->heard[r];
    for (int ms = 0; ms < PATIENCE && !is_all_heard(listener, r); ms++)
        nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
    size_t n = heard->bytes < KEPT ? (size_t)heard->bytes : KEPT;
    char *text = xcalloc(n + 1, 1);
    for (size_t i = 0; i < n; i++)
        text[i] = heard->text[(heard->bytes - n + i) % KEPT];
    return text;
}
