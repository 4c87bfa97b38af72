/*
 * door -- where helpers come in, and what they say.
 */
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/die.h"
#include "dist/job.h"

enum { TICK = 20 }; /* milliseconds */

static void make_token(struct jobs *jobs)
{
    uint64_t number[2];
    if (getrandom(number, sizeof number, 0) != sizeof number)
        die("no random numbers: %s", strerror(errno));
    snprintf(jobs->token, sizeof jobs->token, "%016" PRIx64 "%016" PRIx64, number[0], number[1]);
}

/* Nobody else can come in but who is on this machine, unless ranks can be on others. */
void door_open(struct jobs *jobs)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(jobs->options.remote ? INADDR_ANY : INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    jobs->door = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (jobs->door < 0 || bind(jobs->door, (struct sockaddr *)&address, size) < 0 || listen(jobs->door, SOMAXCONN) < 0 ||
        getsockname(jobs->door, (struct sockaddr *)&address, &size) < 0)
        die("cannot wait for connections: %s", strerror(errno));
    jobs->port = ntohs(address.sin_port);
    if (gethostname(jobs->host, sizeof jobs->host - 1) < 0)
        die("the name of this machine: %s", strerror(errno));
    make_token(jobs);
}

void peer_tell(struct helper_connection *peer, enum talk_kind what)
{
    if (!peer->gone && talk_send(peer->fd, what, NULL, 0, NULL, 0) < 0)
        peer->gone = true;
}

void peer_drop(struct jobs *jobs, size_t i)
{
    struct helper_connection *peer = jobs->peer.at[i];
    close(peer->fd);
    vec_release(&peer->in);
    talk_forget(&peer->file);
    free(peer);
    jobs->peer.at[i] = vec_pop(&jobs->peer);
}

static void take_hello(struct jobs *jobs, struct helper_connection *peer, const struct talk_frame *frame)
{
    const struct talk_hello *hello = (const struct talk_hello *)(frame + 1);
    struct job *job;
    if (frame->kind != TALK_HELLO || frame->bytes != sizeof *hello || hello->version != TALK_VERSION ||
        memcmp(hello->token, jobs->token, sizeof hello->token) != 0 || !(job = job_find(jobs, hello->job)) || job->over) {
        peer->gone = true;
        return;
    }
    struct talk_setup setup = {.job = job->number, .vector = jobs->options.vector, .show = jobs->options.show};
    peer->known = true;
    peer->job = job->number;
    peer->now.rank = RANK_NONE;
    job->met++;
    peer->cleaned = job->ending; /* it has begun nothing */
    if (job->leaving)
        peer_tell(peer, TALK_LEAVE);
    else if (!job->ending &&
             talk_send(peer->fd, TALK_SETUP, &setup, sizeof setup, job->decisions, strlen(job->decisions)) < 0)
        peer->gone = true;
}

/* What it tells unasked may come right behind an answer, which is not taken back by it. */
static void take_news(struct helper_connection *peer, const struct talk_frame *frame)
{
    uint64_t answered = peer->now.look;
    memcpy(&peer->now, frame + 1, sizeof peer->now);
    if (!peer->now.look)
        peer->now.look = answered;
}

static void take_frame(struct jobs *jobs, struct helper_connection *peer, const struct talk_frame *frame)
{
    struct job *job = job_find(jobs, peer->job);
    if (!peer->known) {
        take_hello(jobs, peer, frame);
    } else if (frame->kind == TALK_FILE) {
        talk_keep(&peer->file, frame);
    } else if (frame->kind == TALK_NEWS && frame->bytes == sizeof peer->now) {
        take_news(peer, frame);
    } else if (frame->kind == TALK_GONE) {
        peer->cleaned = true;
    } else if (frame->kind == TALK_SORRY && job && !job->sorry) {
        job->sorry = strndup((const char *)(frame + 1), frame->bytes);
        job_end(jobs, job);
    }
}

/* Nobody makes tourney keep more than a hello before having said one. */
static size_t most_from(const struct helper_connection *peer)
{
    return peer->known ? sizeof(struct talk_part) + TALK_BYTES : sizeof(struct talk_hello);
}

static void hear_helper(struct jobs *jobs, struct helper_connection *peer)
{
    const struct talk_frame *frame;
    bool broken = false;
    int status = talk_fill(peer->fd, &peer->in, most_from(peer));
    while (!peer->gone && (frame = talk_first(&peer->in, most_from(peer), &broken))) {
        take_frame(jobs, peer, frame);
        talk_drop(&peer->in);
    }
    if (status < 0 || broken)
        peer->gone = true;
}

static void let_in(struct jobs *jobs)
{
    int fd, on = 1;
    while ((fd = accept4(jobs->door, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        struct helper_connection *peer = xcalloc(1, sizeof *peer);
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        peer->fd = fd;
        vec_push(&jobs->peer, peer);
    }
}

void door_wait(struct jobs *jobs)
{
    VEC(struct pollfd) ready = {0};
    vec_push(&ready, (struct pollfd){.fd = jobs->door, .events = POLLIN});
    for (size_t i = 0; i < jobs->peer.n; i++)
        vec_push(&ready, (struct pollfd){.fd = jobs->peer.at[i]->gone ? -1 : jobs->peer.at[i]->fd, .events = POLLIN});
    poll(ready.at, ready.n, TICK);
    for (size_t i = 1; i < ready.n; i++)
        if (ready.at[i].revents)
            hear_helper(jobs, jobs->peer.at[i - 1]);
    if (ready.at[0].revents)
        let_in(jobs);
    vec_release(&ready);
}
