/*
 * mail -- the mailboxes of a rank: what others show it, and what it shows them (call/mail.h).
 */
#ifndef SHIM_VIRTUAL_MAIL_H
#define SHIM_VIRTUAL_MAIL_H

#include <stdbool.h>

#include "call/mail.h"

void mail_open(struct mailbox *boxes, rank_t own, int ranks);
bool mail_is_open(void);

/* Shows a record to a rank; `nth`: which message to it this is, 0: it is none.  False: there was no room. */
bool mail_put(rank_t to, const struct op *record, uint64_t nth, bool whole);
/* The same of what is no message, in two steps: between them `op` and what follows it, so many bytes, are filled in.  NULL: there is no room. */
struct mail *mail_begin(rank_t to, size_t bytes);
void mail_commit(rank_t to);

/* Whether the mailbox from a rank has anything of which the room was not given back. */
bool mail_holds_any(rank_t from);
/* What was shown by a rank and is not taken, in its order; NULL: no more. */
struct mail *mail_first(rank_t from);
struct mail *mail_first_seen(rank_t from); /* the same, of what was there when the mailbox was last looked at */
struct mail *mail_next(rank_t from, const struct mail *);

/* How far its mailbox was looked at, in bytes; and whether more has come, or was left out, since it was looked at so far. */
uint64_t mail_looked(rank_t from);
bool mail_has_come(rank_t from, uint64_t looked);

/* Of what was shown before the receiver looked, messages were left out, and have not come from tourney yet. */
bool mail_has_gap(rank_t from);

/* For the sender: how far the mailbox to a rank was filled, in bytes, as its receiver counts what it looked at; UINT64_MAX: something was left out. */
uint64_t mail_shown(rank_t to);

/* For the receiver; false: the sender has just withdrawn it. */
bool mail_take(struct mail *);
void mail_give_back(struct mail *);
/* Gives the room of what was taken back to the sender. */
void mail_clear(rank_t from);
/* tourney has delivered this message; `nth` may have lost its upper half. */
void mail_was_delivered(rank_t from, uint32_t nth);

/* For the sender: nobody shall take this request's message, which was shown whole; false: its receiver has it. */
bool mail_withdraw(rank_t to, uint32_t request);

#endif
