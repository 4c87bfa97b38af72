/*
 * races -- wildcards whose message is up to luck, as defects (explore/race.h).
 */
#ifndef CHECK_RACES_H
#define CHECK_RACES_H

#include "check/defect.h"
#include "explore/race.h"

/* After a search that visited everything.  `benign`: also those that change nothing. */
void races_add(const struct explorer *, bool benign, defects_t *);

#endif
