/*
 * site -- an operation with its place in the source, as strings to keep.
 */
#ifndef SYMBOLS_SITE_H
#define SYMBOLS_SITE_H

#include "outcome/final_state.h"
#include "result/result.h"
#include "result/run_chart.h"
#include "symbols/symbol.h"

/* Where an address is in the source, in a process of the final state or, if there is none, in the file of the program. */
void site_find(const struct final_state *, struct symbols *, rank_t, uint64_t address, struct trace_place *);

/* The places of operations are looked up while their processes exist.  `number` may be -1. */
struct site site_of_op(const struct final_state *, struct symbols *, rank_t, const struct op *, int64_t number);
struct site site_of_place(rank_t, const struct trace_place *);

/* The same without a rank. */
struct named_place named_place_of(const struct trace_place *);

#endif
