/*
 * script -- from which line a program written in Python calls MPI.
 *
 * A place is an address, and a line of a script has none.  So the shim maps the script, at an
 * address that follows from its name and is the same in all ranks, and a place is as many bytes
 * from there as the number of its line: for whoever asks what lies at an address, a script is a
 * file like others (symbols/symbol.h knows that its bytes stand for lines).
 */
#ifndef SHIM_CORE_SCRIPT_H
#define SHIM_CORE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The line of the script that is running; NULL: none is, or it is no file.  May wait for Python's lock. */
const void *script_place(void);

/* The same of all that have called it, from that line outwards, at most so many.  Returns how many. */
size_t script_places(uint64_t *place, size_t most);

/* A script that was met, and the addresses that stand for its lines. */
struct script {
    uintptr_t start, end;
    const char *path;
    bool is_library; /* installed, with Python or for it: what it does is its own affair */
};

const struct script *script_at(const void *address); /* NULL: none has it */
const struct script *script_nth(int);                /* NULL: fewer were met */

#endif
