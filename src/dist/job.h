/*
 * job -- the jobs that run, by those who look after them in turn.
 */
#ifndef DIST_JOB_H
#define DIST_JOB_H

#include <limits.h>
#include <sys/types.h>

#include "base/mem.h"
#include "dist/jobs.h"
#include "dist/talk.h"
#include "world/janitor.h"

/* A helper. */
struct helper_connection {
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
    bool ending;         /* all helpers were told to end */
    int64_t since;       /* when they were told */
    bool leaving;        /* they were told to leave, too */
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
    VEC(struct helper_connection *) peer; /* owns */
    _Atomic uint32_t events;
    char *scratch;       /* owns: a directory on this machine, for launchers and helpers */
    char *mark;          /* owns: NAME=scratch, in the environment of all of them */
    struct janitor janitor;
    bool hurried;        /* all is to end at once */
};

/* door.c: where helpers come in, and what they say. */
void door_open(struct jobs *);
void door_wait(struct jobs *); /* for a while, unless somebody has something to say */
void peer_tell(struct helper_connection *, enum talk_kind);
void peer_drop(struct jobs *, size_t index);

static inline bool peer_is_of(const struct helper_connection *peer, const struct job *job)
{
    return peer->known && peer->job == job->number;
}

/* launcher.c: starts a job, reads what its launcher says, and sees that it ends; job->over then. */
void launcher_start(struct jobs *, struct job *);
void launcher_look(struct jobs *, struct job *);
void launcher_forget(struct job *); /* what it has said */

/* quiescence.c: ends the job when all ranks are over, or none can move any more. */
void job_look(struct jobs *, struct job *);

/* job_tales.c: the tales of all ranks, each in its place; the last time, files are forgotten as they are read. */
struct tale *job_tales(const struct jobs *, const struct job *, struct modules *, bool last);
void job_free_tales(struct tale *, int ranks);

/* jobs.c */
struct job *job_find(const struct jobs *, uint64_t number);
void job_end(struct jobs *, struct job *); /* all ranks are told to */

#endif
