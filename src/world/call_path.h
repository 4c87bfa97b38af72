/*
 * call_path -- the names of files that a process hands to the kernel.
 */
#ifndef WORLD_CALL_PATH_H
#define WORLD_CALL_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CALL_PATH_ROOM = PATH_MAX + 64 };

/* Reads one, of PATH_MAX bytes at the most, from the memory of the process; false: it is not there, or too long. */
bool call_path_read(pid_t, uint64_t address, char *path);

/* What tourney calls the file that the process calls `name`, seen from one of its folders or from AT_FDCWD. */
void call_path_place(pid_t, int folder, const char *name, char path[CALL_PATH_ROOM]);

#endif
