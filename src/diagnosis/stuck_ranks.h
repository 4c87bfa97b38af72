/*
 * stuck_ranks -- in one sentence, who can never continue, and for whom they wait.
 */
#ifndef DIAGNOSIS_STUCK_RANKS_H
#define DIAGNOSIS_STUCK_RANKS_H

#include <stdio.h>

#include "result/result.h"

/* Of a deadlock: "ranks 0 and 2 wait for each other".  By its waits and cycles; whoever does not wait has ended. */
void stuck_ranks_tell(FILE *, const struct finding *);

#endif
