/*
 * keeper -- of the memory of a window at one of its members, or of the lock that guards it (call/window.h).
 *
 * A machine that knows of no one else: it waits for a message, takes it, and sends letters.  What it does next is a function of
 * the messages that it has taken, so the search treats it as it treats any rank; and a play has one as well.
 */
#ifndef WINDOW_KEEPER_H
#define WINDOW_KEEPER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "window/mail.h"

struct keeper;

struct keeper *keeper_new(bool of_lock);
struct keeper *keeper_copy(const struct keeper *);
void keeper_free(struct keeper *); /* may be NULL */

/* The messages that it takes next. */
struct keeper_wait keeper_waits_for(const struct keeper *);

/* Takes a message that it waits for; letters are added to the mail. */
void keeper_take(struct keeper *, rank_t from, int tag, const void *message, size_t bytes, struct keeper_mail *);

/* How often what it keeps became something else; not for a lock. */
uint64_t keeper_changes(const struct keeper *);

/* Equal for keepers of which nothing that comes tells one from the other. */
struct map_key keeper_digest(const struct keeper *);

#endif
