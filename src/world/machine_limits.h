/*
 * machine_limits -- what this machine cannot do, for those who have to say it.
 */
#ifndef WORLD_MACHINE_LIMITS_H
#define WORLD_MACHINE_LIMITS_H

#include <stdbool.h>

/* Whether what a rank does to memory can be seen access by access (shim/fence.h). */
bool machine_watches_accesses(void);

/* Whether a call puts the return address at the end of the caller's frame, by which the frames of a sleeping rank are told apart. */
bool machine_calls_push(void);

/* Kernels for some machines can have pages of other sizes than 4096 bytes, for which the images of ranks are not made. */
bool machine_has_known_pages(void);

#endif
