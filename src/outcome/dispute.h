/*
 * dispute -- a message and a receive that met, or could have met in a state that was visited, and do not agree.
 */
#ifndef OUTCOME_DISPUTE_H
#define OUTCOME_DISPUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "sem/agree.h"

struct dispute {
    uint32_t send, recv; /* for explore_op */
    enum message_fault fault;
    uint32_t step; /* the state that was left when they met or, if `open`, in which they could have met */
    bool open;     /* they could have met, and did not */
    bool made;     /* they did, in a run that is being or was visited */
};

#endif
