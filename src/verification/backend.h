/*
 * backend -- what runs ranks for a search: the world, on this machine, or a real MPI job.
 */
#ifndef VERIFICATION_BACKEND_H
#define VERIFICATION_BACKEND_H

#include "dist/jobs.h"
#include "drive/drive.h"
#include "options/options.h"
#include "symbols/symbol.h"

/* One of the two; owns. */
struct backend {
    struct drive *drive;
    struct dist *dist;
    struct jobs *jobs; /* of a search by jobs: those that run */
    char **launcher;   /* of a search by jobs: the words that start one */
    char *kept;        /* the file that keeps the names of files that places lie in */
    size_t files;      /* how many names it keeps */
};

/* With a result directory, in which something is kept for another session. */
struct backend backend_open(const struct run_options *, const char *dir);
void backend_close(struct backend *);
struct runner backend_runner(const struct backend *);

/* The number under which the symbols know a process of a job; 0: processes have their own. */
pid_t backend_process(const struct backend *);
/* They are told what is known of the code by now. */
void backend_tell_symbols(struct backend *, struct symbols *);

/* The MPI library that ranks have loaded, "mpich", "openmpi" or "abi"; NULL: not known yet. */
const char *backend_mpi(const struct backend *);

/* One line on what it took, or nothing. */
void backend_tell_cost(const struct backend *);
/* Calls of which nobody can say what they decided: a text to be freed, or NULL. */
char *backend_unseen_calls(const struct backend *);

#endif
