/*
 * gate -- what the parts of the preloaded library know of each other.
 */
#ifndef SHIM_GATE_GATE_H
#define SHIM_GATE_GATE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether this process is one of tourney's ranks. */
bool gate_is_rank(void);

/* Whether a file is a parallel MPI library; there may be no shim for it. */
bool gate_is_mpi(const char *path);

/* Whether the gate itself is busy with MPI's names. */
bool gate_is_opening(void);

/*
 * What the shim tells of time, once it is open: whether what a clock shows is real, real and these microseconds
 * later, or these microseconds after MPI_Init, which may not have been called.  And whether to sleep that long is not necessary.
 */
enum gate_time { GATE_TIME_UNKNOWN, GATE_TIME_REAL, GATE_TIME_LATER, GATE_TIME_VIRTUAL };
typedef enum gate_time gate_time_function(uint64_t *microseconds);
typedef bool gate_sleep_function(uint64_t microseconds);
extern gate_time_function *gate_time __attribute__((visibility("hidden")));
extern gate_sleep_function *gate_sleeps __attribute__((visibility("hidden")));

#endif
