/*
 * jobs -- runs the program under its own launcher, several jobs at one time if wanted.
 *
 * Each rank has a helper (helper.h), which reports here.  A job is ended when all ranks are over or
 * when nothing in it can move any more.  That is not told by time: when every rank has gone
 * quiet, all are looked at twice; if none has done anything in between, what they were doing then
 * was so at one moment, and the semantics decides whether any of it can go on (deadlock.h).  A job that is merely slow is waited
 * for.
 */
#ifndef DIST_JOBS_H
#define DIST_JOBS_H

#include "dist/dist.h"

struct jobs_options {
    int ranks;
    char *const *launcher; /* words; borrows, as all of these */
    char *const *argv;     /* the program and its arguments */
    bool vector;           /* clocks */
    bool show;             /* output of ranks is not thrown away */
    bool remote;           /* ranks can be on other machines */
    double seconds;        /* from now on; 0: no bound */
};

struct jobs;
struct jobs *jobs_new(const struct jobs_options *);
void jobs_free(struct jobs *); /* ends those that run */

/*
 * As dist wants it.  A job is not waited for if tourney was told to stop, or the time is over.  Dies, with
 * what the launcher says, if that does not start the ranks.
 */
struct job_source jobs_source(struct jobs *);

#endif
