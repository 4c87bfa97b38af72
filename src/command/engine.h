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
    char **launcher;   /* and this */
};

struct engine engine_open(const struct run_options *);
void engine_close(struct engine *);
struct runner engine_runner(const struct engine *);

/* The number under which the symbols know a process of a job; 0: processes have their own. */
pid_t engine_process(const struct engine *);
/* They are told what is known of the code by now. */
void engine_tell_symbols(const struct engine *, struct symbols *);

#endif
