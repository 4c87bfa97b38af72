/*
 * tagger -- begins every line of a rank's output with the rank.
 */
#ifndef WORLD_TAGGER_H
#define WORLD_TAGGER_H

#include <sys/types.h>

/*
 * Starts a process that copies pipe[rank][0] to stdout and pipe[rank][1] to
 * stderr, line by line, until all of them are closed.
 */
pid_t tagger_start(int (*pipe)[2][2], int ranks, int not_its_own); /* which descriptor to close */

#endif
