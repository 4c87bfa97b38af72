/*
 * diagnosis -- a finding, made from the first run that shows it.
 */
#ifndef DIAGNOSIS_DIAGNOSIS_H
#define DIAGNOSIS_DIAGNOSIS_H

#include "check/defect.h"
#include "diagnosis/fault.h"
#include "result/result.h"
#include "symbols/symbol.h"

/* All but its id, during the visit of the run.  Owned by the caller. */
struct finding diagnosis_make(struct run_view *, struct symbols *, const struct fault *);

/* It was not reproduced from a fresh start (drive_difference): then it is no defect, but a divergence. */
void diagnosis_turn_to_divergence(struct run_view *, struct symbols *, struct finding *);

/* To the text that the user sees. */
void diagnosis_add_line(struct finding *, const char *line);

/* The same of what a check found; without a run, in that of the account. */
struct finding diagnosis_of_defect(struct run_view *, struct symbols *, const struct defect *);

/* The same in a play. */
struct finding diagnosis_of_played_defect(const struct final_state *, struct symbols *, const struct defect *);

/* Adds the run that is visited to what a rank complained of there; nothing, if that is not part of it. */
void diagnosis_add_run(struct run_view *, struct symbols *, rank_t, const struct op *complaint, struct finding *);

/*
 * Adds what only the whole search can tell: the number of the decision after which it could not
 * be helped, and the nearest clean run, of which `clean` has the account.  After the search.
 */
void diagnosis_complete(const struct run_view *clean, struct symbols *, size_t critical, struct finding *);

/*
 * Two of one kind at the same places of the source are one, though their addresses may differ; of those that need less buffering, two for which the same
 * calls have to wait.
 */
bool diagnosis_is_same(const struct finding *, const struct finding *);

#endif
