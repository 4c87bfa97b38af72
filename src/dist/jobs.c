#include "dist/jobs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/die.h"
#include "base/log.h"
#include "dist/job.h"
#include "world/signals.h"

/* Microseconds. */
enum {
    IN_ORDER = 700 * 1000, /* until launchers whose helpers have left are told to end */
    TOLD = 400 * 1000,     /* from then on, until they are killed with all that they have started here */
    KILLED = 500 * 1000,   /* from then on, until nobody waits for them any longer */
};
enum { LEFT_ALONE = 5 };   /* seconds that helpers of a tourney that was killed may take to clean up */

/* If tourney is killed, helpers and launchers end by themselves; the janitor is for what does not. */
static void make_shared_scratch(struct jobs *jobs)
{
    jobs->scratch = janitor_name_scratch("tourney.dist");
    jobs->mark = xformat("%s=%s", TALK_ENV_SCRATCH, jobs->scratch);
    janitor_start(&jobs->janitor, jobs->mark, jobs->scratch, LEFT_ALONE, NULL);
    if (mkdir(jobs->scratch, 0700) < 0)
        die("cannot make a directory in %s: %s", janitor_folder(), strerror(errno));
}

struct jobs *jobs_new(const struct jobs_options *options)
{
    struct jobs *jobs = xcalloc(1, sizeof *jobs);
    jobs->options = *options;
    if (options->seconds > 0)
        jobs->deadline = microseconds() + (int64_t)(options->seconds * 1e6);
    make_shared_scratch(jobs);
    door_open(jobs);
    signals_take(&jobs->events);
    return jobs;
}

static uint64_t start_job(void *data, const char *decisions)
{
    struct jobs *jobs = data;
    struct job *job = xcalloc(1, sizeof *job);
    job->number = ++jobs->started;
    job->decisions = xstrdup(decisions);
    launcher_start(jobs, job);
    vec_push(&jobs->job, job);
    LOG(dist, "job %llu is started, with the decisions %s", (unsigned long long)job->number, decisions);
    return job->number;
}

struct job *job_find(const struct jobs *jobs, uint64_t number)
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

static void tell_all(struct jobs *jobs, const struct job *job, enum talk_kind what)
{
    for (size_t i = 0; i < jobs->peer.n; i++)
        if (peer_is_of(jobs->peer.at[i], job))
            peer_tell(jobs->peer.at[i], what);
}

void job_end(struct jobs *jobs, struct job *job)
{
    if (jobs->hurried)
        tell_all(jobs, job, TALK_HURRY);
    if (job->ending)
        return;
    job->ending = true;
    job->since = microseconds();
    if (!jobs->hurried)
        tell_all(jobs, job, TALK_END);
}

/* As soon as one leaves, the launcher may kill the rest. */
static void let_leave(struct jobs *jobs, struct job *job)
{
    bool clean = !job->leaving;
    for (size_t i = 0; i < jobs->peer.n && clean; i++)
        if (peer_is_of(jobs->peer.at[i], job))
            clean = jobs->peer.at[i]->cleaned || jobs->peer.at[i]->gone;
    if (!clean)
        return;
    job->leaving = true;
    tell_all(jobs, job, TALK_LEAVE);
}

static void serve_jobs(struct jobs *jobs)
{
    door_wait(jobs);
    for (size_t i = jobs->peer.n; i-- > 0;)
        if (jobs->peer.at[i]->gone && !jobs->peer.at[i]->known)
            peer_drop(jobs, i);
    for (size_t i = 0; i < jobs->job.n; i++) {
        struct job *job = jobs->job.at[i];
        if (job->over)
            continue;
        launcher_look(jobs, job);
        if (job->ending)
            let_leave(jobs, job);
        else
            job_look(jobs, job);
    }
}

static void drop_job(struct jobs *jobs, struct job *job)
{
    for (size_t i = jobs->peer.n; i-- > 0;)
        if (peer_is_of(jobs->peer.at[i], job))
            peer_drop(jobs, i);
    for (size_t i = jobs->job.n; i-- > 0;)
        if (jobs->job.at[i] == job)
            jobs->job.at[i] = vec_pop(&jobs->job);
    launcher_forget(job);
    free(job->sorry);
    free(job->decisions);
    free(job);
}

static bool jobs_must_stop(const struct jobs *jobs)
{
    return signals_stop() || (jobs->deadline && microseconds() > jobs->deadline);
}

/* What is wrong is wrong in every job. */
static _Noreturn void refuse_all_jobs(struct jobs *jobs, const struct job *job)
{
    char *why = xstrdup(job->sorry);
    jobs_free(jobs);
    die("%s", why);
}

static struct tale *wait_for_job(void *data, uint64_t number, struct modules *modules)
{
    struct jobs *jobs = data;
    struct job *job = job_find(jobs, number);
    while (!job->over && !jobs_must_stop(jobs))
        serve_jobs(jobs);
    if (!job->over)
        return NULL;
    if (job->sorry)
        refuse_all_jobs(jobs, job);
    struct tale *tales = job_tales(jobs, job, modules, true);
    drop_job(jobs, job);
    return tales;
}

struct job_source jobs_source(struct jobs *jobs)
{
    return (struct job_source){start_job, wait_for_job, count_running, jobs};
}

static void serve_jobs_for(struct jobs *jobs, int64_t time)
{
    int64_t until = microseconds() + time;
    while (count_running(jobs) && microseconds() < until)
        serve_jobs(jobs);
}

/*
 * Somebody waits for it.  Most launchers end with their helpers.  Those that do not, such as Open MPI's if a rank is
 * killed in MPI_Init, where all wait for each other, are not waited for.
 */
static void end_at_once(struct jobs *jobs)
{
    jobs->hurried = true;
    for (size_t i = 0; i < jobs->job.n; i++)
        job_end(jobs, jobs->job.at[i]);
    serve_jobs_for(jobs, IN_ORDER);
    for (size_t i = 0; i < jobs->job.n; i++)
        if (!jobs->job.at[i]->over)
            kill(-jobs->job.at[i]->launcher, SIGTERM);
    serve_jobs_for(jobs, TOLD);
    if (count_running(jobs))
        janitor_kill_marked(jobs->mark);
    serve_jobs_for(jobs, KILLED);
}

void jobs_free(struct jobs *jobs)
{
    if (count_running(jobs))
        end_at_once(jobs);
    while (jobs->job.n)
        drop_job(jobs, jobs->job.at[0]);
    while (jobs->peer.n)
        peer_drop(jobs, 0);
    close(jobs->door);
    signals_leave();
    janitor_dismiss(&jobs->janitor, jobs->scratch);
    free(jobs->scratch);
    free(jobs->mark);
    free(jobs);
}
