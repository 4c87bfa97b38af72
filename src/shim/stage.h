/*
 * stage -- finding the stage of a rank (call/stage.h), for whoever is on it.
 */
#ifndef SHIM_STAGE_H
#define SHIM_STAGE_H

#include "call/stage.h"

/* To be unmapped.  NULL: this process is on none, or cannot see it, as from inside a container. */
struct stage *stage_map(void);
void stage_unmap(struct stage *);

#endif
