/*
 * hearing -- a rank that sleeps until others show it what it waits for is called by them, and tourney need not wake it.
 *
 * It says for whom it listens, looks once more, and sleeps.  Whoever has shown something to a rank that listens for it calls it, and
 * counts it as running at once, so that tourney is not called when the last of the others sleeps.  What it finds then it takes as any
 * other mail (call/mail.h): who calls decides nothing.
 */
#ifndef SHIM_VIRTUAL_HEARING_H
#define SHIM_VIRTUAL_HEARING_H

#include "call/wire.h"

void hearing_open(struct wire_head *, rank_t own);

/* For whom: a rank, or RANK_ANY for whoever has seen what all have shown. */
void hearing_begin(rank_t whom);
/* Sleeps until somebody calls, or tourney has answered: `turn` is not `answered` then.  True: it was not for long. */
bool hearing_sleep(const _Atomic uint32_t *turn, uint32_t answered);
/* True: somebody has called, and counted this rank. */
bool hearing_end(void);

/* Calls one that listens for this rank, or for RANK_ANY if that is `as`; false: it does not. */
bool hearing_call(rank_t, rank_t as);

#endif
