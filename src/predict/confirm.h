/*
 * confirm -- plays a predicted run through the semantics core.
 *
 * The formula is our own statement of the rules; sem is the authority.  Every match of
 * the run must be eligible there when it comes, every halt ready when it is passed,
 * and in the end nobody else may be ready, nothing may be left to match, and in a
 * deadlock somebody must be stuck.
 */
#ifndef PREDICT_CONFIRM_H
#define PREDICT_CONFIRM_H

#include "predict/order.h"

/* NULL, or what the semantics has against it. */
const char *confirm_run(const struct ours *, const struct order *, bool deadlock);

#endif
