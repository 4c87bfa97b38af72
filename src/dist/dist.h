/*
 * dist -- a real MPI job, under its own launcher, as a runner for the search.
 *
 * The first job runs freely.  What its ranks have done is cut into segments (store.h), and the search
 * goes on in memory as far as they reach.  When it comes to a history that no job has shown, the next job is led
 * there by the decisions that the search has made (decide.h), and is free from there on.  So every
 * job makes a set of decisions that none before it made, and there are never more jobs than such
 * sets.
 */
#ifndef DIST_DIST_H
#define DIST_DIST_H

#include "dist/tale.h"

/*
 * Where jobs come from (jobs.h).  start: begins one, led by a decision file; its number.  wait: for its
 * end, then what its ranks did, one tale each, to be released and freed; NULL: it is not
 * to be waited for.  running: how many are.
 */
struct job_source {
    uint64_t (*start)(void *data, const char *decisions);
    struct tale *(*wait)(void *data, uint64_t job, struct modules *);
    size_t (*running)(void *data);
    void *data;
};

struct dist;

/* At most `parallel` jobs run at one time. */
struct dist *dist_new(const struct job_source *, int ranks, uint32_t parallel);
void dist_free(struct dist *);
struct runner dist_runner(struct dist *);

/* The files that places lie in; borrowed.  Those of an earlier session may be added. */
struct modules *dist_modules(struct dist *);

/* What jobs tell of windows; borrowed. */
struct window_remarks dist_remarks(struct dist *);
bool dist_has_remarks(const struct dist *);

/* The MPI library of the jobs that were run; NULL: not known. */
const char *dist_mpi(const struct dist *);

struct dist_cost {
    uint64_t jobs;        /* that were run */
    uint64_t unknown;     /* histories that could not be reached, for a job was ended before */
    uint64_t wildcards;   /* receives and probes from any source, in all jobs */
    uint64_t late;        /* messages that the clocks say they could have taken besides */
    uint64_t unsupported; /* number of calls that passed without clocks */
    const uint32_t *call; /* which these are; borrowed */
};
struct dist_cost dist_cost(const struct dist *);

#endif
