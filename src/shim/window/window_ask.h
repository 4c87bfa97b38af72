/*
 * window_ask -- what a window is called, who is in it, and what it is like.
 */
#ifndef SHIM_WINDOW_WINDOW_ASK_H
#define SHIM_WINDOW_WINDOW_ASK_H

#include "shim/window/window.h"

/* For reports: the name of its communicator. */
void window_announce_name(const struct window *, const char *name);

#endif
