/*
 * found -- a finding, made from the first run that shows it.
 */
#ifndef REPORT_FOUND_H
#define REPORT_FOUND_H

#include "check/defect.h"
#include "report/fault.h"
#include "report/symbol.h"
#include "result/result.h"

/* All but its id, during the visit of the run.  Owned by the caller. */
struct finding found_make(struct explored *, struct symbols *, const struct fault *);

/* It was not reproduced from a fresh start (drive_difference): then it is no defect, but a divergence. */
void found_turn_to_divergence(struct explored *, struct symbols *, struct finding *);

/* To the text that the user sees. */
void found_add_line(struct finding *, const char *line);

/* The same of what a check found; without a run, in that of the account. */
struct finding found_defect(struct explored *, struct symbols *, const struct defect *);

/* Adds the run that is visited to what a rank complained of there; nothing, if that is not part of it. */
void found_add_run(struct explored *, struct symbols *, rank_t, const struct op *complaint, struct finding *);

/*
 * Adds what only the whole search can tell: the decision after which it could not
 * be helped, and the nearest clean run.  After the search; `step` is that of the run
 * it was made from, of which the others need nothing more.
 */
void found_complete(struct explored *, struct symbols *, uint32_t step, struct finding *);

/* Two of one kind at the same places of the source are one, though their addresses may differ. */
bool found_same(const struct finding *, const struct finding *);

#endif
