/*
 * pair -- messages and receives that do not agree, as defects.
 */
#ifndef CHECK_PAIR_H
#define CHECK_PAIR_H

#include "check/defect.h"
#include "explore/explore.h"

/* `met`: they did, else they could have. */
struct defect pair_defect(const struct explorer *, const struct dispute *, bool met);

#endif
