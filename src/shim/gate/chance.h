/*
 * chance -- who opens a random device opens a file in its place (call/chance.h).
 */
#ifndef SHIM_GATE_CHANCE_H
#define SHIM_GATE_CHANCE_H

#include <sys/types.h>

/* The file, if the program opens such a device; else NULL.  And where this rank begins to read it. */
const char *gate_chance_file(const char *path, const void *caller);
off_t gate_chance_start(void);

#endif
