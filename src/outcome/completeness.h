/*
 * completeness -- what a search that was cut short has looked at completely.
 *
 * All runs in which so many polls at most say no where a yes can come, and so many decisions at most are not the first of
 * what can be taken there; or, if that came to nothing, all runs that depart so many times at most from what the search would decide
 * (explore/deepening.c); or at least those that depart once, in some of its decisions (explore/late_departures.c, explore/sidesteps.c).
 */
#ifndef OUTCOME_COMPLETENESS_H
#define OUTCOME_COMPLETENESS_H

#include <stdbool.h>
#include <stdint.h>

/* The one without departures, or the one that was made ahead, of which outcomes of its decisions count (explore/sidesteps.c). */
enum departed_run { FROM_SEARCH, FROM_RUN_AHEAD };

struct completeness {
    bool some; /* else nothing is known to be complete, or everything is */
    bool any_late, any_other; /* there is no such limit */
    bool buffered;       /* that holds if MPI buffers everything; with less, not every deadlock on the way was looked for */
    uint32_t late, other;
    uint32_t departures; /* and one more; 0: by these, nothing is known to be complete */
    enum departed_run from; /* which run the next three are about */
    uint32_t known, last, decisions; /* who departs once, in so many of the decisions of the run without departures; the last so many of these are among them; and how many could be other ones */
};

/* Whether late polls and other choices are worth telling of: that the very first choices were made is no news. */
static inline bool completeness_is_news(const struct completeness *complete)
{
    return complete->some && (complete->any_other || complete->other || (!complete->any_late && complete->late));
}

#endif
