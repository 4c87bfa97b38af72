/*
 * shown_stacks -- from where the operations of a run were called.
 *
 * The search does not ask for stacks.  Of a run that is shown they are told by a replay, in which
 * ranks tell them with every operation (world_options, `stacks`).
 */
#ifndef REPORT_SHOWN_STACKS_H
#define REPORT_SHOWN_STACKS_H

#include "report/explored.h"
#include "report/symbol.h"
#include "result/shown_run.h"

/*
 * Adds them to a run, from the account of a replay of it.  False, and nothing is added: the replay is another
 * run, for it lacks an operation or a match of this one.
 */
bool shown_stacks_add(struct shown_run *, struct explored *replayed, struct symbols *);

#endif
