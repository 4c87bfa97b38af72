/*
 * anticipate -- answers that a rank knows by itself.
 *
 * A call that waits for receives which name their sources, or for a collective in which everybody does the same, has one
 * answer, and the mails of the others (call/mail.h) tell it.  Where that is so the rank makes the answer and goes on.
 * A receive from any source that the rank waits for, the only one that it has posted, has one when all others rest (hearing.h): what tourney would choose.
 * Whatever is not certain is left to tourney: what was posted after a receive from any source; a message that
 * was not shown, or whose sender waits to be told that it was received; members of a collective that say different things.
 */
#ifndef SHIM_VIRTUAL_ANTICIPATE_H
#define SHIM_VIRTUAL_ANTICIPATE_H

#include "call/wire.h"

/* If the ranks of this world have mailboxes. */
void anticipate_open(struct wire_head *, char *arena, rank_t own);
bool anticipate_is_on(void);
/*
 * In a search, of a process that is told to run ahead (call/wire.h): from now on it is on.  What the rank has posted before is noted; the last
 * of these is returned, the call in which it sleeps.  A choice is never its own then.
 */
struct op *anticipate_begin_ahead(struct wire_head *, char *arena, rank_t own, uint64_t ahead);

/* An operation is about to be posted: it is shown to whom it concerns.  Of a cancel it is noted if it comes too late. */
void anticipate_note(struct op *record);

/*
 * The answer to the last operation that was noted, by which the rank takes the turn (struct wire_channel) that tourney has
 * not taken yet: `answered` were answered before.  NULL: the answer of tourney is to be waited for, or there.
 */
const struct answer *anticipate_answer(const struct op *record, _Atomic uint32_t *turn, uint32_t answered);

/*
 * For whom to listen, who is to show what was missing when the answer was last looked for: WIRE_LISTENS_FOR and a rank, or another of these.
 * WIRE_LISTENS_NOT: only tourney knows the answer.
 */
uint32_t anticipate_awaited(void);
/* Tells that one rank, for whose choices this may count (call/round_robin.h), if it is a message of one rank. */
void anticipate_tell_lack(void);
/* Listens for it. */
void anticipate_listen(void);

/* As anticipate_answer, without waiting for anybody; `called`: since the rank listens it was called, as all others are whom that concerns. */
const struct answer *anticipate_look_again(const struct op *record, bool called);

/* So often others are worth to be given the processor before this one sleeps; and whether the last wait was short. */
int anticipate_patience(void);
void anticipate_note_wait(bool soon);

/* tourney has answered the last operation that was noted. */
void anticipate_answered(const struct op *record, const struct answer *, const struct completion *);

/* Calls the one to whom this was shown, if it listens; false: it does not. */
bool anticipate_call(const struct op *record);

/* Whether one of those who are shown this sleeps: tourney has to wake it. */
bool anticipate_concerns_sleeper(const struct op *record);

#endif
