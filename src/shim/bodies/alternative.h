/*
 * alternative -- a rank asks tourney which of several alternatives it is to be.
 *
 * The search tries all of them; a play, and a real job that is not led otherwise, take the first.
 */
#ifndef SHIM_BODIES_ALTERNATIVE_H
#define SHIM_BODIES_ALTERNATIVE_H

#include <stdint.h>

#include "call/op.h"

/* From 0; `of` says in a few words what is chosen, for reports.  The caller is in an entry.  At least one, at most OP_MOST_ALTERNATIVES (call/sound.h). */
uint32_t alternative_choose(uint32_t alternatives, const char *of);

/* The same by an OP_CHOOSE that says more: how it goes together with what others choose. */
uint32_t alternative_ask(struct op *, const char *of);

#endif
