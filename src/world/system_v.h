/*
 * system_v -- removes System V memory that ranks have made and nobody has removed (call/segment_list.h).
 */
#ifndef WORLD_SYSTEM_V_H
#define WORLD_SYSTEM_V_H

#include <sys/types.h>

#include "base/mem.h"
#include "call/segment_list.h"

/* When no rank lives any more. */
void system_v_remove_all(struct segment_list *);

/*
 * While others go on: what no process has attached, if its maker is gone and nobody else was told its number.  If there is much, what others may
 * have been told of goes as well: a search may end thousands of ranks, and the kernel has room for some thousand in all.
 */
void system_v_remove_unused(struct segment_list *);

/* The numbers of those without a key that a process has made, which must be there still: the number of a process may be given again later. */
typedef VEC(int) system_v_numbers_t;
void system_v_made_by(pid_t, system_v_numbers_t *);

#endif
