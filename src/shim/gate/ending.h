/*
 * ending -- the linker's turn at the end of a process, when the destructors of all that is loaded are run.
 */
#ifndef SHIM_GATE_ENDING_H
#define SHIM_GATE_ENDING_H

#include <stdbool.h>

/* Asked when it is the linker's turn; true: nothing is left for it to do.  NULL at first. */
extern bool (*tourney_ending_hook)(void);

/* Whether the hook will be asked: the process has come up in the usual way. */
extern bool tourney_ending_is_known;

#endif
