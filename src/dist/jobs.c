#include "dist/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/die.h"
#include "dist/stuck.h"
#include "dist/talk.h"
#include "world/signals.h"

enum {
    TICK = 20,                 /* milliseconds */
    PAUSE = 100 * 1000,        /* microseconds until all are looked at again; twice that, then doubled each time */
    LONGEST_PAUSE = 5000000,
    POLLING = 10 * 1000000,    /* that long a rank may poll for something else than messages, */
    DOUBTFUL = 10 * 1000000,   /* a job may stand if one cannot tell whether it moves, */
    DOOMED = 10 * 1000000,     /* and a rank make no call in one in which another has failed */
    PATIENCE = 5 * 1000000,    /* until a launcher that does not end is told to, and is killed */
    SAID = 4096,               /* bytes of what it said that are kept */
};

/* A helper. */
struct peer {
    int fd;
    talk_buffer in;
    bool known;          /* it has said hello */
    bool gone;
    bool cleaned;        /* nothing is left of its rank */
    uint64_t job;
    struct talk_file file; /* of its rank */
    struct talk_news now, before; /* when it was last heard, and in the look before */
};

struct job {
    uint64_t number;
    char *decisions;     /* owns */
    int tries;
    pid_t launcher;
    int status;
    bool launcher_ended;
    int errors;          /* what the launcher says; -1: closed */
    VEC(char) said;
    int met;             /* helpers that have said hello */
    char *sorry;         /* owns; why there can be no such job */
    uint64_t look;       /* the last one; even: the second of two */
    bool looking;        /* and not all have answered */
    int64_t next_look, pause;
    int64_t quiet_since; /* nothing has changed since; 0: it has */
    bool ending;         /* all were told to end, */
    int64_t since;       /* then, */
    bool leaving;        /* and to leave */
    int signals;         /* sent to the launcher */
    bool over;
};

struct jobs {
    struct jobs_options options;
    int door;            /* where helpers connect */
    char host[HOST_NAME_MAX + 1];
    int port;
    char token[TALK_TOKEN];
    uint64_t started;
    bool works;          /* a job has come up: the launcher can do it */
    int64_t deadline;    /* 0: none */
    VEC(struct job *) job;   /* owns */
    VEC(struct peer *) peer; /* owns */
    _Atomic uint32_t events;
};

/* ---- the door ---- */

static void make_token(struct jobs *jobs)
{
    uint64_t number[2];
    if (getrandom(number, sizeof number, 0) != sizeof number)
        die("no random numbers: %s", strerror(errno));
    snprintf(jobs->token, sizeof jobs->token, "%016" PRIx64 "%016" PRIx64, number[0], number[1]);
}

/* Nobody else can come in but who is on this machine, unless ranks can be on others. */
static void open_door(struct jobs *jobs)
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
}

struct jobs *jobs_new(const struct jobs_options *options)
{
    struct jobs *jobs = xcalloc(1, sizeof *jobs);
    jobs->options = *options;
    if (options->seconds > 0)
        jobs->deadline = microseconds() + (int64_t)(options->seconds * 1e6);
    make_token(jobs);
    open_door(jobs);
    signals_take(&jobs->events);
    return jobs;
}

/* ---- starting ---- */

static char *own_path(void)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n < 0)
        die("cannot find itself in /proc/self/exe: %s", strerror(errno));
    path[n] = 0;
    return xstrdup(path);
}

/* LAUNCHER -n N tourney dist-rank WHERE PROGRAM ARGUMENTS */
static char **command_of(const struct jobs *jobs, const struct job *job)
{
    VEC(char *) words = {0};
    for (char *const *word = jobs->options.launcher; *word; word++)
        vec_push(&words, *word);
    vec_push(&words, xstrdup("-n"));
    vec_push(&words, xformat("%d", jobs->options.ranks));
    vec_push(&words, own_path());
    vec_push(&words, xstrdup("dist-rank"));
    vec_push(&words, xformat("%s:%d:%s:%" PRIu64, jobs->host, jobs->port, jobs->token, job->number));
    for (char *const *word = jobs->options.argv; *word; word++)
        vec_push(&words, *word);
    vec_push(&words, NULL);
    return words.at;
}

/* Every job reads the same input, if it can be read again. */
static int open_input(void)
{
    struct stat kind;
    int input = fstat(0, &kind) == 0 && S_ISREG(kind.st_mode) ? open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC) : -1;
    return input >= 0 ? input : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/*
 * If tourney is killed, the helpers see it, and the launcher ends with them.  When a job has to be ended, all helpers
 * leave of their own accord: Open MPI's launcher, if it found that ranks had not finalized and began to abort the
 * job, would take seconds, and now and then hang or crash.
 */
static _Noreturn void become_launcher(const struct jobs *jobs, const struct job *job, int errors)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signals_leave();
    signal(SIGXFSZ, SIG_DFL);
    signal(SIGPIPE, SIG_IGN); /* what it says when tourney was killed nobody hears, but it must live to clean up */
    setpgid(0, 0); /* what the terminal sends is for tourney, which ends the job in order */
    char **words = command_of(jobs, job);
    dup2(open_input(), 0);
    if (!jobs->options.show)
        dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), 1);
    dup2(errors, 2);
    setenv("OMPI_MCA_orte_allowed_exit_without_sync", "1", 0);
    execvp(words[0], words);
    fprintf(stderr, "%s: %s\n", words[0], strerror(errno));
    _exit(127);
}

static void launch(struct jobs *jobs, struct job *job)
{
    int errors[2];
    job->tries++;
    if (pipe2(errors, O_CLOEXEC) < 0 || (job->launcher = fork()) < 0)
        die("cannot start a process: %s", strerror(errno));
    if (job->launcher == 0)
        become_launcher(jobs, job, errors[1]);
    close(errors[1]);
    fcntl(errors[0], F_SETFL, O_NONBLOCK);
    job->errors = errors[0];
}

static uint64_t start_job(void *data, const char *decisions)
{
    struct jobs *jobs = data;
    struct job *job = xcalloc(1, sizeof *job);
    job->number = ++jobs->started;
    job->decisions = xstrdup(decisions);
    launch(jobs, job);
    vec_push(&jobs->job, job);
    return job->number;
}

static struct job *find_job(const struct jobs *jobs, uint64_t number)
{
    for (size_t i = 0; i < jobs->job.n; i++)
        if (jobs->job.at[i]->number == number)
            return jobs->job.at[i];
    return NULL;
}

static size_t count_running(void *data)
{
    const struct jobs *jobs = data;
    size_t n = 0;
    for (size_t i = 0; i < jobs->job.n; i++)
        n += !jobs->job.at[i]->over;
    return n;
}

/* ---- what helpers say ---- */

static void tell(struct peer *peer, enum talk_kind what)
{
    if (!peer->gone && talk_send(peer->fd, what, NULL, 0, NULL, 0) < 0)
        peer->gone = true;
}

static bool is_of(const struct peer *peer, const struct job *job)
{
    return peer->known && peer->job == job->number;
}

static void tell_all(struct jobs *jobs, const struct job *job, enum talk_kind what)
{
    for (size_t i = 0; i < jobs->peer.n; i++)
        if (is_of(jobs->peer.at[i], job))
            tell(jobs->peer.at[i], what);
}

static void end_job(struct jobs *jobs, struct job *job)
{
    if (job->ending)
        return;
    job->ending = true;
    job->since = microseconds();
    tell_all(jobs, job, TALK_END);
}

/* As soon as one leaves, the launcher may kill the rest. */
static void let_leave(struct jobs *jobs, struct job *job)
{
    bool clean = !job->leaving;
    for (size_t i = 0; i < jobs->peer.n && clean; i++)
        if (is_of(jobs->peer.at[i], job))
            clean = jobs->peer.at[i]->cleaned || jobs->peer.at[i]->gone;
    if (!clean)
        return;
    job->leaving = true;
    tell_all(jobs, job, TALK_LEAVE);
}

static void take_hello(struct jobs *jobs, struct peer *peer, const struct talk_frame *frame)
{
    const struct talk_hello *hello = (const struct talk_hello *)(frame + 1);
    struct job *job;
    if (frame->kind != TALK_HELLO || frame->bytes != sizeof *hello || hello->version != TALK_VERSION ||
        memcmp(hello->token, jobs->token, sizeof hello->token) != 0 || !(job = find_job(jobs, hello->job)) || job->over) {
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
        tell(peer, TALK_LEAVE);
    else if (!job->ending &&
             talk_send(peer->fd, TALK_SETUP, &setup, sizeof setup, job->decisions, strlen(job->decisions)) < 0)
        peer->gone = true;
}

/* What it tells unasked may come right behind an answer, which is not taken back by it. */
static void take_news(struct peer *peer, const struct talk_frame *frame)
{
    uint64_t answered = peer->now.look;
    memcpy(&peer->now, frame + 1, sizeof peer->now);
    if (!peer->now.look)
        peer->now.look = answered;
}

static void take_frame(struct jobs *jobs, struct peer *peer, const struct talk_frame *frame)
{
    struct job *job = find_job(jobs, peer->job);
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
        end_job(jobs, job);
    }
}

/* Nobody makes tourney keep more than a hello before having said one. */
static size_t most_from(const struct peer *peer)
{
    return peer->known ? sizeof(struct talk_part) + TALK_BYTES : sizeof(struct talk_hello);
}

static void hear(struct jobs *jobs, struct peer *peer)
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
        struct peer *peer = xcalloc(1, sizeof *peer);
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        peer->fd = fd;
        vec_push(&jobs->peer, peer);
    }
}

/* ---- the look ---- */

static void read_tale(const struct jobs *jobs, const struct peer *peer, struct tale *tales, struct modules *modules)
{
    struct tale tale;
    struct tale_end end = {.ended = peer->now.ended, .status = peer->now.status};
    switch (tale_read(&tale, peer->file.at, peer->file.n, jobs->options.ranks, end, modules)) {
    case TALE_IS_GOOD:
        break;
    case TALE_IS_NONE:
        tale_nothing(&tale, end);
        break;
    case TALE_IS_OF_MORE:
        die("the launcher has started more than %d ranks", jobs->options.ranks);
    case TALE_IS_DAMAGED:
        die("the file in which rank %d tells what it does is damaged", peer->now.rank);
    }
    rank_t r = tale.rank;
    for (rank_t free = 0; r < 0 && free < jobs->options.ranks; free++)
        if (tales[free].rank == RANK_NONE && !tales[free].leg.n)
            r = free; /* it never called MPI_Init: it may be any */
    if (r < 0 || tales[r].leg.n) {
        tale_release(&tale);
        return;
    }
    tales[r] = tale;
}

/* Those that have come up first, each in its place.  The last time, files are forgotten as they are read. */
static struct tale *read_tales(const struct jobs *jobs, const struct job *job, struct modules *modules, bool last)
{
    struct tale *tales = xcalloc((size_t)jobs->options.ranks, sizeof *tales);
    for (rank_t r = 0; r < jobs->options.ranks; r++)
        tales[r].rank = RANK_NONE;
    for (int nameless = 0; nameless < 2; nameless++)
        for (size_t i = 0; i < jobs->peer.n; i++) {
            struct peer *peer = jobs->peer.at[i];
            if (!is_of(peer, job) || (peer->now.rank < 0) != nameless)
                continue;
            read_tale(jobs, peer, tales, modules);
            if (last)
                talk_forget(&peer->file);
        }
    return tales;
}

static void free_tales(struct tale *tales, int ranks)
{
    for (rank_t r = 0; r < ranks; r++)
        tale_release(&tales[r]);
    free(tales);
}

/* A rank that polls in one place goes round, but does nothing. */
static bool is_unchanged(const struct peer *peer)
{
    const struct talk_news *now = &peer->now, *before = &peer->before;
    bool polls = now->state == CAUSAL_POLLING && before->state == CAUSAL_POLLING;
    return now->bytes == before->bytes && now->op == before->op && (polls || now->turn == before->turn) &&
           now->ended == before->ended;
}

struct summary {
    int peers, quiet, over, failed, left, finalized, polling, answered, unchanged;
};

static struct summary sum_up(const struct jobs *jobs, const struct job *job)
{
    struct summary sum = {0};
    for (size_t i = 0; i < jobs->peer.n; i++) {
        const struct peer *peer = jobs->peer.at[i];
        if (!is_of(peer, job))
            continue;
        sum.peers++;
        sum.quiet += peer->now.quiet || peer->gone;
        sum.over += peer->now.over || peer->gone;
        sum.finalized += !peer->now.over && !peer->gone && peer->now.state == CAUSAL_FINALIZED;
        sum.failed += peer->now.over && peer->now.state != CAUSAL_FINALIZED;
        sum.left += peer->now.ended && WIFEXITED(peer->now.status) && peer->now.state == CAUSAL_FINALIZED;
        sum.polling += !peer->now.over && peer->now.state == CAUSAL_POLLING;
        sum.answered += peer->now.look == job->look || peer->gone;
        sum.unchanged += is_unchanged(peer);
    }
    return sum;
}

/*
 * Whoever is not over is in MPI_Finalize: there it waits for those that will never come, and for nobody who has
 * been there.
 */
static bool all_finalize(const struct summary *sum)
{
    return sum->over + sum->finalized == sum->peers;
}

static enum stuck find_stuck(const struct jobs *jobs, const struct job *job, const struct summary *sum)
{
    struct modules modules = {0};
    if (all_finalize(sum))
        return sum->over > sum->left ? IS_STUCK : MOVES;
    struct tale *tales = read_tales(jobs, job, &modules, false);
    enum stuck stuck = stuck_look(tales, jobs->options.ranks);
    free_tales(tales, jobs->options.ranks);
    modules_release(&modules);
    return stuck;
}

/* What may be so is so if it stays so. */
static bool nothing_moves(const struct jobs *jobs, const struct job *job, const struct summary *sum, int64_t quiet)
{
    enum stuck stuck = find_stuck(jobs, job, sum);
    return stuck == IS_STUCK || (stuck == MAY_BE_STUCK && quiet >= DOUBTFUL);
}

static void begin_look(struct jobs *jobs, struct job *job)
{
    job->look++;
    job->looking = true;
    for (size_t i = 0; i < jobs->peer.n; i++) {
        struct peer *peer = jobs->peer.at[i];
        if (!is_of(peer, job))
            continue;
        peer->before = peer->now;
        if (!peer->gone && talk_send(peer->fd, TALK_LOOK, &job->look, sizeof job->look, NULL, 0) < 0)
            peer->gone = true;
    }
}

/* One that comes back from MPI_Finalize is not quiet, and ends some time. */
static bool can_be_stuck(const struct jobs *jobs, const struct summary *sum)
{
    return sum->peers == jobs->options.ranks && sum->quiet == sum->peers;
}

static bool should_end(const struct jobs *jobs, const struct job *job, const struct summary *sum)
{
    int64_t quiet = microseconds() - job->quiet_since;
    if (sum->failed && quiet >= DOOMED)
        return true;
    return can_be_stuck(jobs, sum) && (!sum->polling || quiet >= POLLING) && nothing_moves(jobs, job, sum, quiet);
}

/* Looking takes a small part of the time, however long it takes to tell whether anything moves. */
static void plan_look(struct job *job, int64_t began)
{
    enum { PART = 10 };
    int64_t now = microseconds(), least = PART * (now - began);
    if (job->pause < LONGEST_PAUSE)
        job->pause *= 2;
    job->next_look = now + (job->pause > least ? job->pause : least);
}

static void look(struct jobs *jobs, struct job *job)
{
    struct summary sum = sum_up(jobs, job);
    int64_t now = microseconds();
    if (sum.peers == jobs->options.ranks && sum.over == sum.peers) {
        end_job(jobs, job);
        return;
    }
    if (!can_be_stuck(jobs, &sum) && !(sum.failed && sum.peers == jobs->options.ranks)) {
        job->pause = PAUSE;
        job->quiet_since = 0;
        job->looking = false;
        job->look += job->look & 1;
        return;
    }
    if (!job->looking) {
        if (now >= job->next_look)
            begin_look(jobs, job);
        return;
    }
    if (sum.answered < sum.peers)
        return;
    job->looking = false;
    bool second = job->look % 2 == 0, unchanged = sum.unchanged == sum.peers;
    if (!unchanged || !job->quiet_since)
        job->quiet_since = now;
    if (!second) {
        begin_look(jobs, job);
        return;
    }
    if (unchanged && should_end(jobs, job, &sum)) {
        end_job(jobs, job);
        return;
    }
    plan_look(job, now);
}

/* ---- the launcher ---- */

static void drop_peer(struct jobs *jobs, size_t i)
{
    struct peer *peer = jobs->peer.at[i];
    close(peer->fd);
    vec_release(&peer->in);
    talk_forget(&peer->file);
    free(peer);
    jobs->peer.at[i] = vec_pop(&jobs->peer);
}

static void read_errors(struct job *job)
{
    char text[1024];
    ssize_t n;
    while (job->errors >= 0 && (n = read(job->errors, text, sizeof text)) != 0) {
        if (n < 0)
            return;
        for (ssize_t i = 0; i < n && job->said.n < SAID; i++)
            vec_push(&job->said, text[i]);
    }
    if (job->errors >= 0)
        close(job->errors);
    job->errors = -1;
}

static _Noreturn void give_up(struct jobs *jobs, struct job *job)
{
    char *launcher = xstrdup(jobs->options.launcher[0]);
    read_errors(job);
    vec_push(&job->said, 0);
    char *said = job->said.at;
    int met = job->met, ranks = jobs->options.ranks;
    while (*said && said[strlen(said) - 1] == '\n')
        said[strlen(said) - 1] = 0;
    signals_leave();
    die("%s ended when %d of %d ranks had been started%s%s", launcher, met, ranks, *said ? "; it said:\n" : "", said);
}

/* A launcher that can do it and fails once has met with an accident: of the network, say, or for lack of memory. */
static void try_again(struct jobs *jobs, struct job *job)
{
    enum { TRIES = 3 };
    if (!jobs->works || job->tries == TRIES)
        give_up(jobs, job);
    for (size_t i = jobs->peer.n; i-- > 0;)
        if (is_of(jobs->peer.at[i], job)) {
            tell(jobs->peer.at[i], TALK_END);
            drop_peer(jobs, i);
        }
    read_errors(job);
    vec_clear(&job->said);
    job->met = 0;
    job->launcher_ended = false;
    launch(jobs, job);
}

static void press_launcher(struct job *job)
{
    static const int sent[] = {SIGTERM, SIGKILL};
    int64_t late = microseconds() - job->since;
    if (!job->ending || job->launcher_ended || job->signals == 2 || late < PATIENCE * (job->signals + 1))
        return;
    kill(-job->launcher, sent[job->signals++]);
}

static void look_at_launcher(struct jobs *jobs, struct job *job)
{
    read_errors(job);
    if (!job->launcher_ended && waitpid(job->launcher, &job->status, WNOHANG) == job->launcher)
        job->launcher_ended = true;
    press_launcher(job);
    if (!job->launcher_ended)
        return;
    if (job->met < jobs->options.ranks && !job->ending) {
        try_again(jobs, job);
        return;
    }
    end_job(jobs, job);
    job->over = jobs->works = true;
}

/* ---- the round ---- */

static void wait_a_tick(struct jobs *jobs)
{
    VEC(struct pollfd) ready = {0};
    vec_push(&ready, (struct pollfd){.fd = jobs->door, .events = POLLIN});
    for (size_t i = 0; i < jobs->peer.n; i++)
        vec_push(&ready, (struct pollfd){.fd = jobs->peer.at[i]->gone ? -1 : jobs->peer.at[i]->fd, .events = POLLIN});
    poll(ready.at, ready.n, TICK);
    for (size_t i = 1; i < ready.n; i++)
        if (ready.at[i].revents)
            hear(jobs, jobs->peer.at[i - 1]);
    if (ready.at[0].revents)
        let_in(jobs);
    vec_release(&ready);
}

static void go_round(struct jobs *jobs)
{
    wait_a_tick(jobs);
    for (size_t i = jobs->peer.n; i-- > 0;)
        if (jobs->peer.at[i]->gone && !jobs->peer.at[i]->known)
            drop_peer(jobs, i);
    for (size_t i = 0; i < jobs->job.n; i++) {
        struct job *job = jobs->job.at[i];
        if (job->over)
            continue;
        look_at_launcher(jobs, job);
        if (job->ending)
            let_leave(jobs, job);
        else
            look(jobs, job);
    }
}

static void drop_job(struct jobs *jobs, struct job *job)
{
    for (size_t i = jobs->peer.n; i-- > 0;)
        if (is_of(jobs->peer.at[i], job))
            drop_peer(jobs, i);
    for (size_t i = jobs->job.n; i-- > 0;)
        if (jobs->job.at[i] == job)
            jobs->job.at[i] = vec_pop(&jobs->job);
    if (job->errors >= 0)
        close(job->errors);
    vec_release(&job->said);
    free(job->sorry);
    free(job->decisions);
    free(job);
}

static bool must_stop(const struct jobs *jobs)
{
    return signals_stop() || (jobs->deadline && microseconds() > jobs->deadline);
}

/* What is wrong is wrong in every job. */
static _Noreturn void refuse(struct jobs *jobs, const struct job *job)
{
    char *why = xstrdup(job->sorry);
    jobs_free(jobs);
    die("%s", why);
}

static struct tale *wait_for_job(void *data, uint64_t number, struct modules *modules)
{
    struct jobs *jobs = data;
    struct job *job = find_job(jobs, number);
    while (!job->over && !must_stop(jobs))
        go_round(jobs);
    if (!job->over)
        return NULL;
    if (job->sorry)
        refuse(jobs, job);
    struct tale *tales = read_tales(jobs, job, modules, true);
    drop_job(jobs, job);
    return tales;
}

struct job_source jobs_source(struct jobs *jobs)
{
    return (struct job_source){start_job, wait_for_job, count_running, jobs};
}

static bool comes_up(const struct jobs *jobs)
{
    for (size_t i = 0; i < jobs->job.n; i++) {
        const struct job *job = jobs->job.at[i];
        if (!job->over && job->met && job->met < jobs->options.ranks)
            return true;
    }
    return false;
}

/* Where a rank was begun, all come up first: in MPI_Init ranks wait for each other, and launchers for all of them. */
static void let_come_up(struct jobs *jobs)
{
    int64_t until = microseconds() + PATIENCE;
    while (comes_up(jobs) && microseconds() < until)
        go_round(jobs);
}

void jobs_free(struct jobs *jobs)
{
    let_come_up(jobs);
    for (size_t i = 0; i < jobs->job.n; i++)
        end_job(jobs, jobs->job.at[i]);
    while (count_running(jobs))
        go_round(jobs);
    while (jobs->job.n)
        drop_job(jobs, jobs->job.at[0]);
    while (jobs->peer.n)
        drop_peer(jobs, 0);
    close(jobs->door);
    signals_leave();
    free(jobs);
}
