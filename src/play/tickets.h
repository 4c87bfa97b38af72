/*
 * tickets -- locks of windows that ranks take by themselves (call/shown_lock.h), as a play follows them.
 */
#ifndef PLAY_TICKETS_H
#define PLAY_TICKETS_H

#include "play/state.h"

/* The lock `keeper` has taken a message. */
void tickets_note_taken(struct play *, rank_t keeper, const struct op *);

/* A message to the lock `keeper` has been posted. */
void tickets_stir(struct play *, rank_t keeper);

/* The next match that ranks have settled between themselves: releases, and requests with the ticket that is next.  False: none. */
bool tickets_next(struct play *, struct match *);

/* A rank that waits for a lock may have it, as far as ranks show it; and has it from now on.  Always true of what is no such request. */
bool tickets_admit(const struct play *, rank_t keeper, const struct op *);
bool tickets_grant(struct play *, rank_t keeper, const struct op *);

void tickets_release(struct play *);

#endif
