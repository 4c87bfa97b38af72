/*
 * direct -- accesses that this rank makes itself, at the public copy that ranks of a play have between them (call/shown_memory.h).
 *
 * They are made when a message would be sent.  Their results are kept until the call that completes them, as those of messages are: a program that looks
 * at them before has no more of them here than elsewhere.
 */
#ifndef SHIM_WINDOW_DIRECT_H
#define SHIM_WINDOW_DIRECT_H

#include "shim/window/window.h"

/* Makes them at a member's part, whose lock this rank holds, and takes them; false: they have to be sent. */
bool direct_access(struct window *, int member, int32_t tag, struct message_text *);

/* The same with what this rank has stored to its own part. */
bool direct_publish(struct window *, const struct message_text *);

/* Brings the results of what was made at a member's part, or (-1) at all, to the program. */
void direct_hear(struct window *, int member);

/* Whether the public copy of this rank's own part is another than the private one was when that was last brought up to date. */
bool direct_has_news(const struct window *);

void direct_release(struct target *);

#endif
