/*
 * variable -- the name of a variable of the program, by where it lies in a process.
 */
#ifndef SYMBOLS_VARIABLE_H
#define SYMBOLS_VARIABLE_H

#include <stdint.h>

/* Where a file is mapped, told by one place in its code. */
struct mapped_code {
    const char *path;
    uint64_t offset;  /* in the file */
    uint64_t address; /* in the process */
};

/* "mutex" if a variable with static storage in that file begins at `address`, "locks+0x28" if it lies in one; to be freed; NULL: none does. */
char *variable_name(const struct mapped_code *, uint64_t address);

#endif
