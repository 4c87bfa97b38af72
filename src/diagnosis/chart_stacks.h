/*
 * chart_stacks -- from where the operations of a run were called.
 *
 * The search does not ask for stacks.  Of a run that is shown they are told by a replay, in which
 * ranks tell them with every operation (world_options, `stacks`).
 */
#ifndef DIAGNOSIS_CHART_STACKS_H
#define DIAGNOSIS_CHART_STACKS_H

#include "diagnosis/run_view.h"
#include "result/run_chart.h"
#include "symbols/symbol.h"

/*
 * Adds them to a run, from the account of a replay of it.  False, and nothing is added: the replay is another
 * run, for it lacks an operation or a match of this one.
 */
bool chart_stacks_add(struct run_chart *, struct run_view *replayed, struct symbols *);

#endif
