/*
 * copy_obstacles -- what this rank has that a copy of it would not have (call/obstacle.h), and timers, which a copy gets anew.
 */
#ifndef SHIM_VIRTUAL_COPY_OBSTACLES_H
#define SHIM_VIRTUAL_COPY_OBSTACLES_H

#include <stdbool.h>

#include "call/obstacle.h"
#include "call/segment_list.h"

/* Before anything else of the shim's: from now on the gate knows who asks, and tells when the rank kills itself. */
void uncopied_open(void (*kills_itself)(void));

/* Where System V memory of the rank is to be noted. */
void uncopied_show_segments(struct segment_list *);

/* Around the start of the MPI library: what comes up meanwhile is not the program's. */
void uncopied_library_begins(void);
void uncopied_library_is_up(void);

/*
 * Why this process cannot be copied as it is now.  `same_files`: it has the same ones open as when this was last asked, or
 * asked of the process that it is a copy of.
 */
enum obstacle uncopied_obstacle(bool same_files);

/* Whether an interval timer was set at some time. */
bool uncopied_has_alarms(void);

/*
 * Time does not pass for a rank that sleeps: its interval timers stand still, and go on when it wakes up, in a copy of
 * it as well.
 */
void uncopied_stop_timers(void);
void uncopied_start_timers(void);

#endif
