/*
 * site -- an operation with its place in the source, as strings to keep.
 */
#ifndef REPORT_SITE_H
#define REPORT_SITE_H

#include "report/scene.h"
#include "report/symbol.h"
#include "result/result.h"

/* The places of operations are looked up while their processes exist.  `number` may be -1. */
struct site site_of_op(const struct scene *, struct symbols *, rank_t, const struct op *, int64_t number);
struct site site_of_place(rank_t, const struct trace_place *);

#endif
