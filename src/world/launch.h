/*
 * launch -- turning a command line into rank processes.
 *
 * Each rank is the user's program with the gate preloaded and an environment in
 * which the MPI library comes up quickly, alone and quietly.
 */
#ifndef WORLD_LAUNCH_H
#define WORLD_LAUNCH_H

#include <sys/types.h>

#include "world/janitor.h"
#include "world/listener.h"
#include "world/world.h"

struct program_variables {
    char *program; /* path; owned */
    int file;      /* that has them (call/variables.h); -1: nothing is known of them */
};

/* What ranks need besides the shared memory.  Removed even if tourney is killed. */
struct launch {
    char *scratch;   /* a directory: one below it for each rank */
    char *world;     /* what every process of it has in its environment */
    char *gate;      /* path of the preloaded library */
    char *sanitizer; /* a folder with our library under the name of the compiler's for -fsanitize=thread; NULL: the program needs none */
    char *files;     /* folder of files as they were before the search (kept_files.h); NULL: nobody wants to know */
    char *chance;    /* path of what they read in place of random devices (call/chance.h) */
    struct janitor janitor; /* removes `scratch` when tourney is gone */
    struct listener *listener; /* owns; hears what ranks write to standard error; NULL: nobody does */
    pid_t tagger;    /* puts the rank in front of lines; 0: none */
    VEC(struct program_variables) variables; /* of each program that was started */
    int (*output)[2][2]; /* pipes to it: by rank, stdout and stderr, read and write */
    int output_first, output_end; /* ranks that may be started yet: their ends are open */
};

void launch_open(struct launch *, const char *program, const struct world_options *, const struct memory *);
/* What is to be started: a rank of the first world, by `program` and the arguments of tourney, or as a birth says. */
struct launch_who {
    const char *program;
    rank_t rank;
    int channel;
    const struct birth_place *birth; /* NULL: it is of the first world */
};
pid_t launch_rank(struct launch *, const struct launch_who *, const struct world_options *, const struct memory *);
void launch_started(struct launch *, const struct world_options *); /* all ranks are */
/* Kills a process that a rank has started, unless it has ended and the number is somebody else's by now. */
void launch_kill_below(const struct launch *, pid_t);
/* Kills every child but tourney's own helpers; children of those become ours.  False: there was none. */
bool launch_kill_children(const struct launch *);
void launch_close(struct launch *);

#endif
