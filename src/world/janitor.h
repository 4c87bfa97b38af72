/*
 * janitor -- a child that outlives tourney by a moment and sees to it that nothing is left.
 *
 * All that tourney starts carries a mark, a variable in its environment, and keeps its files in one scratch directory.
 * When tourney ends, the janitor removes the directory, and System V memory that is left.  If it did not say good-bye it was killed: then
 * whatever carries the mark is killed, too.
 */
#ifndef WORLD_JANITOR_H
#define WORLD_JANITOR_H

#include <stdbool.h>
#include <sys/types.h>

#include "call/segment_list.h"

struct janitor {
    pid_t pid;
    int pipe; /* to it */
};

/*
 * `mark` is NAME=VALUE or the beginning of that.  If tourney is killed, they have so many seconds to end by themselves.
 * `list`, which lies in shared memory, has the System V memory that they make; NULL: nobody notes it.
 */
void janitor_start(struct janitor *, const char *mark, const char *scratch, int patience, struct segment_list *list);
void janitor_dismiss(struct janitor *, const char *scratch); /* good-bye; waits until the directory is gone */

bool janitor_marks(pid_t, const char *mark); /* whether the process carries it */
void janitor_kill_marked(const char *mark);  /* but ourselves; and removes the shared memory of their MPI libraries */

/* For `scratch`: a name that nobody else has, "FOLDER/PREFIX.NUMBER", so that the janitor can know of it before it is there. */
char *janitor_name_scratch(const char *prefix);
const char *janitor_folder(void); /* for temporary files */

#endif
