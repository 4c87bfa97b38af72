/*
 * keeper -- of the memory of a window at one of its members, of the lock that guards it, of the shared pointer of a file (call/window.h), or of
 * published names (call/dynamic.h).
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

enum keeper_kind { KEEPER_OF_MEMORY, KEEPER_OF_LOCK, KEEPER_OF_NAMES };

/* That of a number behind the ranks, or of the registry, which is the last of them. */
enum keeper_kind keeper_kind_of(int ranks, rank_t);

struct keeper *keeper_new(enum keeper_kind);
struct keeper *keeper_copy(const struct keeper *);
void keeper_free(struct keeper *); /* may be NULL */

/* Over which context it speaks with ranks. */
context_t keeper_context(const struct keeper *);

/* The messages that it takes next. */
struct keeper_wait keeper_waits_for(const struct keeper *);

/* Takes a message that it waits for; letters are added to the mail. */
void keeper_take(struct keeper *, rank_t from, int tag, const void *message, size_t bytes, struct keeper_mail *);

/* Of memory that ranks have between them: one has changed these pieces itself (call/shown_memory.h). */
void keeper_note_written(struct keeper *, rank_t by, const struct window_piece *, size_t n);

/* How often what it keeps became something else; not for a lock. */
uint64_t keeper_changes(const struct keeper *);

/* Equal for keepers of which nothing that comes tells one from the other. */
struct map_key keeper_digest(const struct keeper *);

#endif
