/*
 * window_keepers -- the keepers of a scenario's window (window/keeper.h), which are players behind its ranks.
 *
 * One is kept for each node of its history, and so is the text of every message to one.
 */
#ifndef SCENARIO_WINDOW_KEEPERS_H
#define SCENARIO_WINDOW_KEEPERS_H

#include "base/mem.h"
#include "outcome/history.h"
#include "window/keeper.h"

/* Where a text lies in `bytes`. */
struct kept_text {
    size_t at, bytes;
};

/* All zero is none. */
struct window_keepers {
    VEC(struct keeper *) at;     /* owns; by node; NULL: that is no keeper */
    VEC(struct kept_text) text;
    VEC(char) bytes;
};
void window_keepers_release(struct window_keepers *);

/* Keeps the text of a message; its name, which is never 0. */
uint64_t window_keepers_keep(struct window_keepers *, const void *text, size_t bytes);

/*
 * Makes the keeper at the node `to`: at first (NODE_NONE) one of a window of so many bytes, all 0, or of its lock; else what that of `from`
 * becomes by the message in `ret`.  Its letters are added to the mail.
 */
const struct keeper *window_keepers_go(struct window_keepers *, int ranks, rank_t, uint32_t bytes, node_id from, const struct ret *,
                                       node_id to, struct keeper_mail *);

#endif
