/*
 * question -- what the options ask of prediction, asked.
 */
#ifndef ORACLE_QUESTION_H
#define ORACLE_QUESTION_H

#include "options/options.h"
#include "predict/predict.h"

/*
 * Asks about an execution, and writes the files that are wanted; dies with a sentence if
 * it cannot.  `conflicts`: after so many it gives up; 0: never.  The program is made here
 * and owned, as the prediction, by the caller.  With --can, the question is whether those
 * two can meet.
 */
struct prediction question_ask(const struct run_options *, const struct execution *, struct program *,
                               int64_t conflicts);

/* Dies with a sentence if one of the files cannot be written, before anything else is done. */
void question_prepare(const struct run_options *);

/* How large it was, and how long it took. */
void question_tell_size(const struct program *, const struct prediction *);

#endif
