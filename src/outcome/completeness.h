/*
 * completeness -- what a search that was cut short has looked at completely.
 *
 * All runs in which so many polls at most say no where a yes can come, and so many decisions at most are not the first of
 * what can be taken there (explore/deepening.c).
 */
#ifndef OUTCOME_COMPLETENESS_H
#define OUTCOME_COMPLETENESS_H

#include <stdbool.h>
#include <stdint.h>

struct completeness {
    bool some; /* else nothing is known to be complete, or everything is */
    bool any_late, any_other; /* there is no such limit */
    uint32_t late, other;
};

#endif
