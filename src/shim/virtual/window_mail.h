/*
 * window_mail -- what the ranks of a play show each other of their windows, besides what they tell the keepers (call/mail.h).
 *
 * - Accesses that a closing fence sends to the memory of a rank are shown to that rank.  It knows from the fence how many there are, and if it
 *   sees them all, and they are puts that do not overlap, what the keeper would tell it is certain.
 * - Whoever has had an answer from the memory of a rank counts that there.  Where nothing was counted since the rank last asked its keeper, nothing
 *   has changed of which it can have heard.
 */
#ifndef SHIM_VIRTUAL_WINDOW_MAIL_H
#define SHIM_VIRTUAL_WINDOW_MAIL_H

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

/* A send to a keeper is about to be posted. */
void window_mail_show(const struct op *record);

/* Those who may send, and the keeper to which they do. */
struct window_senders {
    rank_t memory;
    const rank_t *rank;
    int n;
};

/* Waits a while for so many accesses.  False: they are not all there, or not whole. */
bool window_mail_await(const struct window_senders *, uint64_t accesses);

/* The next one of a rank, as it was sent to the keeper; `after` NULL: the first. */
const struct mail *window_mail_next(const struct window_senders *, rank_t from, const struct mail *after);

/* Whatever was shown is done with. */
void window_mail_drop(const struct window_senders *);

#endif
