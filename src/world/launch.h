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

/* What ranks need besides the shared memory.  Removed even if tourney is killed. */
struct launch {
    char *scratch;   /* a directory: one below it for each rank */
    char *world;     /* what every process of it has in its environment */
    char *gate;      /* path of the preloaded library */
    struct janitor janitor; /* removes `scratch` when tourney is gone */
    struct listener *listener; /* owns; hears what ranks write to standard error; NULL: nobody does */
    pid_t tagger;    /* puts the rank in front of lines; 0: none */
    bool has_looked; /* the variables of the program were looked at */
    int variables;   /* the file that has them (call/variables.h); -1: nothing is known of them */
    int (*output)[2][2]; /* pipes to it: by rank, stdout and stderr, read and write */
};

void launch_open(struct launch *, const struct world_options *, const struct memory *);
pid_t launch_rank(struct launch *, const char *program, const struct world_options *, const struct memory *, rank_t,
                  int channel);
void launch_started(struct launch *, const struct world_options *); /* all ranks are */
/* Kills a process that a rank has started, unless it has ended and the number is somebody else's by now. */
void launch_kill_below(const struct launch *, pid_t);
/* Kills every child but tourney's own helpers; children of those become ours.  False: there was none. */
bool launch_kill_children(const struct launch *);
void launch_close(struct launch *);

#endif
