/*
 * quiescence -- whether anything in a job can still move: all ranks are looked at twice (jobs.h).
 */
#include <sys/wait.h>

#include "base/clock.h"
#include "call/causal.h"
#include "dist/job.h"
#include "dist/modules.h"
#include "dist/deadlock.h"

/* Microseconds. */
enum {
    PAUSE = 100 * 1000, /* until all are looked at again; twice that, then doubled each time */
    LONGEST_PAUSE = 5000000,
    POLLING = 10 * 1000000,  /* so long a rank may poll for something else than messages */
    DOUBTFUL = 10 * 1000000, /* so long a job may stand if one cannot tell whether it moves */
    DOOMED = 10 * 1000000,   /* so long a rank may make no call in a job in which another has failed */
};

/* A rank that polls in one place goes round, but does nothing. */
static bool is_unchanged(const struct helper_connection *peer)
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
        const struct helper_connection *peer = jobs->peer.at[i];
        if (!peer_is_of(peer, job))
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
 * been there; but one of those may have ended inside, as when the library finds fault with itself.
 */
static bool all_finalize(const struct summary *sum)
{
    return sum->over + sum->finalized == sum->peers;
}

static enum job_verdict find_stuck(const struct jobs *jobs, const struct job *job, const struct summary *sum)
{
    struct modules modules = {0};
    if (all_finalize(sum))
        return sum->over > sum->left ? IS_STUCK : sum->over ? MAY_BE_STUCK : MOVES;
    struct tale *tales = job_tales(jobs, job, &modules, false);
    enum job_verdict stuck = deadlock_verdict(tales, jobs->options.ranks);
    job_free_tales(tales, jobs->options.ranks);
    modules_release(&modules);
    return stuck;
}

/* What may be so is so if it stays so. */
static bool nothing_moves(const struct jobs *jobs, const struct job *job, const struct summary *sum, int64_t quiet)
{
    enum job_verdict stuck = find_stuck(jobs, job, sum);
    return stuck == IS_STUCK || (stuck == MAY_BE_STUCK && quiet >= DOUBTFUL);
}

static void begin_look(struct jobs *jobs, struct job *job)
{
    job->look++;
    job->looking = true;
    for (size_t i = 0; i < jobs->peer.n; i++) {
        struct helper_connection *peer = jobs->peer.at[i];
        if (!peer_is_of(peer, job))
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

void job_look(struct jobs *jobs, struct job *job)
{
    struct summary sum = sum_up(jobs, job);
    int64_t now = microseconds();
    if (sum.peers == jobs->options.ranks && sum.over == sum.peers) {
        job_end(jobs, job);
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
        job_end(jobs, job);
        return;
    }
    plan_look(job, now);
}
