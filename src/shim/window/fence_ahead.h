/*
 * fence_ahead -- what others have put to this rank up to a fence, as they show it (virtual/window_mail.h).
 *
 * Puts that do not overlap come to the same in every order, so who sees all of them need not ask the keeper.  What is not so simple is asked.
 */
#ifndef SHIM_WINDOW_FENCE_AHEAD_H
#define SHIM_WINDOW_FENCE_AHEAD_H

#include "shim/window/window.h"

/* Before this rank joins a closing fence: shows what it is going to send. */
void fence_ahead_show(struct window *);

/* True: all accesses to this rank's part, so many, are in the private copy. */
bool fence_ahead_take(struct window *, uint64_t accesses);

/* They came in another way. */
void fence_ahead_forget(const struct window *);

#endif
