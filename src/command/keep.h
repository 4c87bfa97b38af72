/*
 * keep -- runs that the result is about, written beside it for the report.
 *
 * One that cannot be written is missed by the report only, and said there.
 */
#ifndef COMMAND_KEEP_H
#define COMMAND_KEEP_H

#include "report/explored.h"
#include "report/shown_tree.h"
#include "report/symbol.h"
#include "result/dir.h"

/* The run that is being visited, or else the account, of a new finding; unless an earlier session has kept it. */
void keep_run(const struct result_dir *, struct explored *, struct symbols *, uint32_t finding);

/* The same in place of the run that was kept. */
void keep_run_anew(const struct result_dir *, struct explored *, struct symbols *, uint32_t finding);

/* The nearest clean run, if there is one; after the search, as found_complete. */
void keep_clean_run(const struct result_dir *, const struct explored *, struct symbols *, uint32_t step, uint32_t finding);

#endif
