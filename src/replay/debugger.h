/*
 * debugger -- ranks that sleep, before the eyes of a debugger.
 */
#ifndef REPLAY_DEBUGGER_H
#define REPLAY_DEBUGGER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/mem.h"

/* A thread of a rank, as that counts them. */
struct debuggee_thread {
    unsigned thread;
    uint64_t place; /* to which its call would return: there is the program's own frame; 0: unknown */
};

/* One rank, by index. */
struct debuggee {
    pid_t pid;                           /* 0: it has ended, or not begun */
    VEC(struct debuggee_thread) threads; /* owns; one, or those of which the rank told; at the first it is looked first */
};

/* What gdb looks at: the ranks, where they stand in the run, and at whom it looks first. */
struct debuggees {
    const struct debuggee *rank; /* borrows */
    int ranks, first;
    uint32_t step, steps; /* the last MPI operation that was done, and how many the run has */
};

/* Where the user wants to go from there. */
enum debugger_wish { DEBUGGER_ENDS, DEBUGGER_NEXT, DEBUGGER_BACK };

/*
 * Opens gdb with one inferior for each rank, the number being that of the rank plus
 * one, and returns when it ends.  With commands: without a terminal, each of them in
 * each inferior.  Dies if there is no gdb.
 */
void debugger_check(void);
enum debugger_wish debugger_open(const struct debuggees *, const char *const *command, size_t commands);

/*
 * Writes .vscode/launch.json in the working directory, with which Visual Studio Code
 * attaches to the ranks.  Dies if there is one that somebody else has written.
 */
void debugger_write_vscode(const struct debuggee *, int ranks, const char *program);

#endif
