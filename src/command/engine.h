/*
 * engine -- what runs ranks for a search: the world, on this machine, or a real MPI job.
 */
#ifndef COMMAND_ENGINE_H
#define COMMAND_ENGINE_H

#include "command/options.h"
#include "dist/jobs.h"
#include "drive/drive.h"
#include "report/symbol.h"

/* One of the two; owns. */
struct engine {
    struct drive *drive;
    struct dist *dist;
    struct jobs *jobs; /* with it, */
    char **launcher;   /* and these */
    char *kept;        /* where the names of files are kept that places lie in, */
    size_t files;      /* and how many are */
};

/* With a result directory, in which something is kept for another session. */
struct engine engine_open(const struct run_options *, const char *dir);
void engine_close(struct engine *);
struct runner engine_runner(const struct engine *);

/* The number under which the symbols know a process of a job; 0: processes have their own. */
pid_t engine_process(const struct engine *);
/* They are told what is known of the code by now. */
void engine_tell_symbols(struct engine *, struct symbols *);

/* One line on what it took, or nothing. */
void engine_tell_cost(const struct engine *);
/* Calls of which nobody can say what they decided: a text to be freed, or NULL. */
char *engine_unseen_calls(const struct engine *);

#endif
