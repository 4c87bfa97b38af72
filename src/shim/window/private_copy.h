/*
 * private_copy -- the memory of this rank that is in a window, and its twin: what the public copy was when the two were
 * last the same.
 *
 * What differs from the twin was stored by this rank since then.
 */
#ifndef SHIM_WINDOW_PRIVATE_COPY_H
#define SHIM_WINDOW_PRIVATE_COPY_H

#include "shim/window/window.h"

struct keeper_exchange;

/* Memory that others may access from now on, as it is; and no more. */
void private_copy_add(struct window *, int member, uint64_t at, void *memory, uint64_t bytes);
void private_copy_remove(struct window *, uint32_t index);

/* Tells the keepers what was stored since the last time; notes in `stored` that there was something. */
void private_copy_publish(struct window *);

/*
 * The same, and then asks what others have changed, of several windows if need be, before all answers are heard together.  All zero is nothing asked; it stays
 * where it is until it is heard.
 */
struct private_copy_questions {
    struct keeper_exchange **at; /* owns */
    uint32_t n, room;
    bool changed; /* others have changed something */
};
void private_copy_ask(struct window *, struct private_copy_questions *);
void private_copy_hear(struct private_copy_questions *); /* nothing is asked then, and `changed` is known */

/* Both, of one window; whether there was something. */
bool private_copy_refresh(struct window *);

/*
 * The same with this rank's own part once so many accesses that count have reached it; `published`: this call has told already what the
 * rank has stored there.
 */
bool private_copy_await(struct window *, uint64_t expected, bool published);

/* What others have put to this rank's own part, which it knows without asking. */
void private_copy_take(struct window *, struct window_piece, const char *from);

#endif
