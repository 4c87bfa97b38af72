/*
 * window_mail -- what the ranks of a play show each other of their windows, besides what they tell the keepers (call/mail.h).
 *
 * - Accesses that a closing fence sends to the memory of a rank are shown to that rank, before the fence is joined.  It knows from the fence how many
 *   there are, and if it sees them all, and they are puts that do not overlap, what the keeper would tell it is certain.  They are sent when all have
 *   joined, so who goes on with them is found out, as with any mail: whoever has joined a fence that all have joined runs, or is about to.
 * - Whoever has had an answer from the memory of a rank counts that there.  Where nothing was counted since the rank last asked its keeper, nothing
 *   has changed of which it can have heard.
 */
#ifndef SHIM_VIRTUAL_WINDOW_MAIL_H
#define SHIM_VIRTUAL_WINDOW_MAIL_H

#include "call/mail.h"
#include "call/window.h"
#include "call/wire.h"
#include "shim/shim.h"

void window_mail_open(struct wire_head *, rank_t own);
bool window_mail_is_open(void);

/* ---- what is counted ---- */

/* This rank has changed the window of another in this slot, or may have, and the other may hear of it from now on. */
void window_mail_count(rank_t owner, uint32_t slot);
uint32_t window_mail_counted(uint32_t slot); /* of this rank's own */

/* ---- what is shown ---- */

/* The keeper of the memory that is accessed, and the fence: its turn on the communicator of the window.  The same window or another may have later ones. */
struct window_fence {
    rank_t memory;
    int32_t turn;
    context_t context;
};

/* This is going to be sent to the memory, once the fence is joined by all. */
void window_mail_show(const struct window_fence *, const struct window_message *, const void *accesses, size_t bytes);

/* Those of other ranks who have shown something that was not taken, when all had joined a fence. */
struct window_senders {
    struct window_fence fence;
    rank_t rank[MAIL_RANKS];
    int n;
};
void window_mail_find_senders(struct window_senders *, const rank_t *members, int n); /* of the fence that is there */

/* So many messages were shown. */
uint64_t window_mail_shown(const struct window_senders *);

/* The next one of a rank, as it is sent to the keeper; `after` NULL: the first. */
const struct mail *window_mail_next(const struct window_senders *, rank_t from, const struct mail *after);

/* Whatever was shown up to this fence is done with. */
void window_mail_drop(const struct window_senders *);

#endif
