/*
 * program_tells -- loads and stores of which the program itself tells.
 *
 * A compiler with -fsanitize=thread puts a call before each load and store, of a function that its runtime library has.  Ranks get one of
 * ours in its place (src/shim/sanitizer), which knows nothing but where to ask for: the shim sets that whenever a call of MPI returns to the
 * program, and nothing is asked for while one is under way.
 */
#ifndef SHIM_PROGRAM_TELLS_H
#define SHIM_PROGRAM_TELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program_tells {
    uintptr_t start, bytes; /* where somebody wants to know; no bytes: nowhere */
    /* What is done there, by the code that returns to `place`. */
    void (*note)(uintptr_t start, size_t bytes, bool stores, const void *place);
};

/* In the runtime library; the shim refers to it weakly: it is there only if the program needs that library. */
extern struct program_tells tourney_program_tells;

#endif
