/*
 * helper -- starts one rank of a job and tells tourney of it (talk.h).
 *
 * The launcher starts helpers in place of ranks; the rank is the helper's child and inherits what
 * the launcher has given.  The rank's file lies in a directory of this machine, which has no name
 * any more as soon as both have it open.
 */
#ifndef DIST_HELPER_H
#define DIST_HELPER_H

/* "HOST:PORT:TOKEN:JOB", then the program and its arguments.  Returns the exit code. */
int helper_main(const char *where, char **argv);

#endif
