/*
 * mopper -- the two published formulas, for comparison: [Forejt 2017], Fig. 6 (plain)
 * and Fig. 8 (multi-receive).
 *
 * Every operation has a clock of as many bits as it takes to number them all, and the
 * matches-before order of each rank is fixed beforehand.  That order leaves out the
 * conditional case (a receive that names its source before one that does not), so
 * these formulas may see deadlocks that are none.  They know blocking and non-blocking
 * standard and synchronous sends, receives, waits for all, and collectives (which the
 * paper has as barriers only; here a call also waits for its data flow), with zero,
 * infinite or eager buffering.  Tags and communicators count for what can match.
 */
#ifndef PREDICT_MOPPER_H
#define PREDICT_MOPPER_H

#include "predict/predict.h"

/* For the plain formula, receives must not have been merged. */
void predict_mopper(struct program *, struct formula *, const struct prediction_options *, struct prediction *);

#endif
