/*
 * run_files -- runs that the result is about, written beside it for the report.
 *
 * One that cannot be written is missed by the report only, and said there.
 */
#ifndef VERIFICATION_RUN_FILES_H
#define VERIFICATION_RUN_FILES_H

#include "diagnosis/decision_tree_maker.h"
#include "diagnosis/run_view.h"
#include "result/dir.h"
#include "symbols/symbol.h"

/* The run that is being visited, or else the account, of a new finding; unless an earlier session has kept it. */
void run_files_write(const struct result_dir *, struct run_view *, struct symbols *, uint32_t finding);

/* The same in place of the run that was kept. */
void run_files_rewrite(const struct result_dir *, struct run_view *, struct symbols *, uint32_t finding);

/* The nearest clean run, after the search. */
void run_files_write_clean(const struct result_dir *, struct run_view *clean, struct symbols *, uint32_t finding);

#endif
