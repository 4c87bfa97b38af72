/*
 * partition_calls -- which sends and receives the calls of partitioned communication are (P1 to P4 of doc/semantics.md).
 *
 * Each pair has two contexts of its own: one for starts, which say how many partitions there are, and one for partitions.
 */
#ifndef SCENARIO_PARTITION_CALLS_H
#define SCENARIO_PARTITION_CALLS_H

#include "scenario/going.h"

void partitions_emit_init(struct going *, const struct statement *);
void partitions_emit_start(struct going *, const struct statement *made);
void partitions_emit_ready(struct going *, const struct statement *call);
void partitions_emit_arrived(struct going *, const struct statement *call);

/* The numbers of what an active request still waits for, up to SCENARIO_PARTITIONS + 1; how many. */
uint32_t partition_requests(struct going *, const struct statement *made, uint32_t *numbers);

/* Requests of partitions have numbers behind those of statements. */
enum { PARTITION_NUMBERS = 256, PARTITION_LAST_NUMBER = PARTITION_NUMBERS + SCENARIO_REQUESTS * (SCENARIO_PARTITIONS + 1) };
/* The slot and the partition of such a number; false: it is none.  Behind the last partition comes that all are ready. */
bool partition_of_number(uint32_t number, uint32_t *slot, uint32_t *partition);

/* Takes what an answer brings for a partitioned request; false: it is for another one. */
bool partition_take(struct going *, const struct answer_item *);

#endif
