/*
 * hearing -- a rank that waits until others show it what it lacks is called by them, and tourney need not wake it.
 *
 * First it looks by itself for a while, awake, and nobody has to call it.  But it counts as running then, so it does not where somebody waits until all rest.
 * After that it says for whom it listens, looks once more, and counts as running no more; it stays awake for a while and then sleeps.  Whoever has shown
 * something to a rank that listens for it calls it, and counts it as running at once, so that tourney is not called when the last of
 * the others sleeps.  What it finds then it takes as any other mail (call/mail.h): who calls decides nothing.  A rank that listens goes on
 * only if it is called or answered, so when nobody runs, and all listen, everybody is at rest.
 *
 * Then it is up to the lowest rank that has a choice.  Whoever rests last calls it, and it sees for itself whether all others rest: they listened
 * before and after a moment in which nobody else ran, and neither posted anything nor were answered between.  A choice may be certain before that
 * (call/round_robin.h), which the rank sees for itself, too: so it listens for the first rank that can still send something before its choice is made, and is called when that one
 * does, or cannot any more.
 */
#ifndef SHIM_VIRTUAL_HEARING_H
#define SHIM_VIRTUAL_HEARING_H

#include "call/wire.h"

/* `channels`: by rank, where its process is; NULL: on the channel with its number. */
void hearing_open(struct wire_head *, rank_t own, const int32_t *channels);
struct wire_channel *hearing_channel(rank_t);

/* For whom: WIRE_LISTENS_FOR and a rank, or another of these.  `undecided` as in struct wire_channel. */
void hearing_begin(uint32_t listens, uint32_t undecided);
/* This rank waits for a message of another one, in whose mailbox it has looked so far. */
void hearing_tell_lack(rank_t sender, uint64_t looked);
/*
 * Whether a rank sends nothing more before the own one, which has shown it so much (mail_shown), goes on.  What it sent before has to be looked for after this.
 * It stays so, and whoever listens for its turn is called when it comes to be so.
 */
bool hearing_sends_nothing(rank_t, uint64_t shown);
/*
 * Gives the processor to others, after it has done so this many times in a row; false: too many do that on this core.  And says that it does so no more, after as many
 * times.  In between it may look this often for what it waits for, if nobody else needs the processor.
 */
bool hearing_give_way(int times);
void hearing_end_giving_way(int times);
int hearing_glances(void);
/* Stays awake while others get the processor, so often at most.  True: somebody has called, or tourney has answered: `turn` is not `answered` then. */
bool hearing_linger(const _Atomic uint32_t *turn, uint32_t answered, int times);
/* Sleeps until somebody calls, or tourney has answered.  True: it was not for long. */
bool hearing_sleep(const _Atomic uint32_t *turn, uint32_t answered);
/* True: somebody has called, and counted this rank. */
bool hearing_end(void);
/* This rank waits for what comes when all rest, or does so no more. */
void hearing_want_rest(bool);
/* Whether one who lacks this may look for it awake, counted as running. */
bool hearing_can_watch(uint32_t listens);
/* The rank has called MPI_Finalize; or has something to say all the same. */
void hearing_leave(bool leaves);

/* Calls one that listens for this; false: it does not. */
bool hearing_call(rank_t, uint32_t listens);
/* A message was shown to this rank: it is called if it listens for the own one.  True: it listens, or was called, so tourney need not be told. */
bool hearing_call_receiver(rank_t);
bool hearing_is_listening(rank_t);
/* Nobody runs: calls the lowest rank that may have a choice, if all listen.  False: it is up to tourney. */
bool hearing_call_chooser(void);

/* Whether a rank may choose whose message it receives; it leaves that to tourney else. */
bool hearing_may_choose(void);
/* Whether all others rest, and none of them comes before this one, which is counted as running; and have rested since. */
bool hearing_others_rest(void);
bool hearing_others_rested(void);

#endif
