/*
 * rank_claim -- finding the claim to a rank (call/rank_claim.h), for every process in the place of that rank.
 */
#ifndef SHIM_PROCESS_RANK_CLAIM_H
#define SHIM_PROCESS_RANK_CLAIM_H

#include "call/rank_claim.h"

/* Whether tourney itself has started this process: it is no script's child, nor one of a rank. */
bool rank_was_started_by_tourney(void);

/* To be unmapped.  NULL: this process is on none, or cannot see it, as from inside a container. */
struct rank_claim *rank_claim_map(void);
void rank_claim_unmap(struct rank_claim *);

/* Leaves word why this process cannot go on.  False: nobody would find it. */
bool rank_claim_tell_refusal(const char *why);

#endif
