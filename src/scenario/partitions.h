/*
 * partitions -- messages that are sent in parts, as one rank of a scenario sees them (P1 to P4 of doc/semantics.md).
 *
 * Which pair a request belongs to, which of its partitions are ready or have arrived, and when it is over.  Knows
 * nothing of the other side.
 */
#ifndef SCENARIO_PARTITIONS_H
#define SCENARIO_PARTITIONS_H

#include "scenario/machine.h"

/* The init of this statement: counts it (P1). */
void partitions_make(struct ranked, const struct statement *);
/* It is freed: it must not be active. */
void partitions_free(struct ranked, uint32_t slot);
/* A start of it: no partition is over; the machine may fail. */
void partitions_start(struct ranked, const struct statement *made);

/* The partitions that a pready names, a bit for each, now marked; 0: the machine has failed. */
uint32_t partitions_mark(struct ranked, const struct statement *call);

/* The start has met its other side, which sends so many partitions; of a send, 0. */
void partitions_begin(struct ranked, const struct statement *made, uint32_t sent);

#endif
