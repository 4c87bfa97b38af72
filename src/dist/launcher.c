/*
 * launcher -- starts a job, hears what its launcher says, and sees that it ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/die.h"
#include "dist/job.h"
#include "library/library.h"
#include "world/input.h"
#include "world/signals.h"

enum {
    PATIENCE = 5 * 1000000, /* microseconds until a launcher that does not end is told to, and is killed */
    SAID = 4096,            /* bytes of what it said that are kept */
};

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
static char **launcher_command(const struct jobs *jobs, const struct job *job)
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
    int input = input_reopen();
    return input >= 0 ? input : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* What the user has set stays.  A launcher that is killed leaves its files. */
static void set_environment_of_libraries(const char *scratch)
{
    for (int i = 0; mpi_libraries[i]; i++) {
        for (const struct library_variable *variable = mpi_libraries[i]->job; variable->name; variable++)
            setenv(variable->name, variable->value, 0);
        if (mpi_libraries[i]->scratch)
            setenv(mpi_libraries[i]->scratch, scratch, 0);
    }
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
    char **words = launcher_command(jobs, job);
    dup2(open_input(), 0);
    if (!jobs->options.show)
        dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), 1);
    dup2(errors, 2);
    setenv(TALK_ENV_SCRATCH, jobs->scratch, 1);
    set_environment_of_libraries(jobs->scratch);
    execvp(words[0], words);
    fprintf(stderr, "%s: %s\n", words[0], strerror(errno));
    _exit(127);
}

void launcher_start(struct jobs *jobs, struct job *job)
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

static _Noreturn void give_up_launching(struct jobs *jobs, struct job *job)
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
        give_up_launching(jobs, job);
    for (size_t i = jobs->peer.n; i-- > 0;)
        if (peer_is_of(jobs->peer.at[i], job)) {
            peer_tell(jobs->peer.at[i], TALK_END);
            peer_drop(jobs, i);
        }
    read_errors(job);
    vec_clear(&job->said);
    job->met = 0;
    job->launcher_ended = false;
    launcher_start(jobs, job);
}

static void press_launcher(struct job *job)
{
    static const int sent[] = {SIGTERM, SIGKILL};
    int64_t late = microseconds() - job->since;
    if (!job->ending || job->launcher_ended || job->signals == 2 || late < PATIENCE * (job->signals + 1))
        return;
    kill(-job->launcher, sent[job->signals++]);
}

void launcher_look(struct jobs *jobs, struct job *job)
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
    job_end(jobs, job);
    job->over = jobs->works = true;
}

void launcher_forget(struct job *job)
{
    if (job->errors >= 0)
        close(job->errors);
    vec_release(&job->said);
}
