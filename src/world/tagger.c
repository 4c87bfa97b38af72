#include "world/tagger.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/mem.h"

/* One stream of one rank: what has come of a line that is not complete yet. */
struct stream {
    int rank;
    FILE *to;
    VEC(char) line;
};

static void put_tagged_line(struct stream *s)
{
    fprintf(s->to, "[%d] ", s->rank);
    fwrite(s->line.at, 1, s->line.n, s->to);
    vec_clear(&s->line);
}

static void put_stream_bytes(struct stream *s, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        vec_push(&s->line, bytes[i]);
        if (bytes[i] == '\n')
            put_tagged_line(s);
    }
}

static void finish_last_line(struct stream *s)
{
    if (s->line.n == 0)
        return;
    vec_push(&s->line, '\n');
    put_tagged_line(s);
}

/* False at the end of the stream. */
static bool copy_stream(struct stream *s, int fd)
{
    char bytes[1 << 16];
    ssize_t n = read(fd, bytes, sizeof bytes);
    if (n < 0)
        return errno == EINTR;
    put_stream_bytes(s, bytes, n);
    return n > 0;
}

static _Noreturn void tag(int (*pipe)[2][2], int ranks)
{
    unsigned streams = 2 * (unsigned)ranks;
    struct stream *stream = xcalloc(streams, sizeof *stream);
    struct pollfd *watched = xcalloc(streams, sizeof *watched);
    int open = 2 * ranks;
    for (int i = 0; i < 2 * ranks; i++) {
        stream[i] = (struct stream){.rank = i / 2, .to = i % 2 ? stderr : stdout};
        watched[i] = (struct pollfd){.fd = pipe[i / 2][i % 2][0], .events = POLLIN};
        close(pipe[i / 2][i % 2][1]);
    }
    while (open && (poll(watched, streams, -1) > 0 || errno == EINTR)) {
        for (int i = 0; i < 2 * ranks; i++) {
            if (watched[i].fd < 0 || !watched[i].revents || copy_stream(&stream[i], watched[i].fd))
                continue;
            finish_last_line(&stream[i]);
            watched[i].fd = -1;
            open--;
        }
        fflush(stdout);
    }
    _exit(0);
}

pid_t tagger_start(int (*pipe)[2][2], int ranks, int not_its_own)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid < 0)
        die("cannot start a process: %s", strerror(errno));
    if (pid == 0) {
        signal(SIGINT, SIG_IGN);
        close(not_its_own);
        tag(pipe, ranks);
    }
    return pid;
}
