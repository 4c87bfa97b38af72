/*
 * symbol -- from a return address in a process to function, file and line.
 *
 * What is mapped where is read once per process and kept, so a place can still
 * be told when the process is gone; what stands where in a file is kept for all
 * processes together.  A process that the kernel gave the number of an earlier
 * one is noticed; one that executes another program, or unloads a library and
 * loads another, has to be forgotten by the caller.
 */
#ifndef SYMBOLS_SYMBOL_H
#define SYMBOLS_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/trace.h"

struct symbols;

struct symbols *symbols_new(void);
void symbols_free(struct symbols *);

/*
 * Where the call is that returns to `address`.  Fills `out`, all but the rank;
 * strings are owned by the symbols and live as long.  Without debug information
 * `function` is "main+0x1c" and `line` 0.  False, and only the address in `out`,
 * if the address lies in no file or nothing is known of the process.
 * trace_place_format makes a text of it.
 */
bool symbols_place(struct symbols *, pid_t, uint64_t address, struct trace_place *out);

/* Only the file that it lies in, which need not be opened for that; or NULL.  Owned by the symbols. */
const char *symbols_module(struct symbols *, pid_t, uint64_t address);

/* The place of code that is at this offset in a file. */
bool symbols_file_place(struct symbols *, const char *path, uint64_t offset, struct trace_place *out);

/*
 * Tells of a process that cannot be read, of another machine or gone: the file at `path` is mapped
 * from `start` to `end`.  Its number is that of no process here, such as -1.
 */
void symbols_tell(struct symbols *, pid_t, const char *path, uint64_t start, uint64_t end);

/* Reads now what is mapped where, to be able to tell places when it is gone.  False: no such process. */
bool symbols_read(struct symbols *, pid_t);
void symbols_forget(struct symbols *, pid_t);

#endif
