#include "dist/jobs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/die.h"
#include "dist/job.h"
#include "world/signals.h"

enum { PATIENCE = 5 * 1000000 }; /* microseconds until those who come up are given up */

struct jobs *jobs_new(const struct jobs_options *options)
{
    struct jobs *jobs = xcalloc(1, sizeof *jobs);
    jobs->options = *options;
    if (options->seconds > 0)
        jobs->deadline = microseconds() + (int64_t)(options->seconds * 1e6);
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
        if (peer_is_of(jobs->peer.at[i], job))
            clean = jobs->peer.at[i]->cleaned || jobs->peer.at[i]->gone;
    if (!clean)
        return;
    job->leaving = true;
    tell_all(jobs, job, TALK_LEAVE);
}

static void go_round(struct jobs *jobs)
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
    struct job *job = job_find(jobs, number);
    while (!job->over && !must_stop(jobs))
        go_round(jobs);
    if (!job->over)
        return NULL;
    if (job->sorry)
        refuse(jobs, job);
    struct tale *tales = job_tales(jobs, job, modules, true);
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
        job_end(jobs, jobs->job.at[i]);
    while (count_running(jobs))
        go_round(jobs);
    while (jobs->job.n)
        drop_job(jobs, jobs->job.at[0]);
    while (jobs->peer.n)
        peer_drop(jobs, 0);
    close(jobs->door);
    signals_leave();
    free(jobs);
}
