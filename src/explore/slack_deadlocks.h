/*
 * slack_deadlocks -- the points on the way of a run at which less slack is a deadlock, what
 * causes them, and what slack a run needs.
 *
 * All return -1 if the runner failed.
 */
#ifndef EXPLORE_SLACK_DEADLOCKS_H
#define EXPLORE_SLACK_DEADLOCKS_H

#include "explore/seen.h"
#include "explore/tight.h"

/* M9, or a livelock, whatever could be loosened; somebody who came to grief is not waiting. */
bool slack_state_is_deadlock(struct game *, struct menu *, const struct state *);

/*
 * A set of operations, by `user`, that hold up the run at such a point even if all
 * others are loosened, and of which none can be left out: a cause.  If time is over (base/deadline.h), some could be.
 */
typedef VEC(uint32_t) users_t;
int slack_deadlock_cause(struct game *, struct menu *, const struct tight *, users_t *)
    __attribute__((warn_unused_result));

/*
 * Whether a cause takes a collective that waits for all in one member and not in another.  No data flow asks for
 * that, and hardly any library does it: `first` is where the run stands with the least slack, and if
 * every collective of the cause waits in all its members, and the rest goes on, the cause does not come about.
 */
int slack_deadlock_mixed(struct game *, struct menu *, const struct tight *first, const users_t *cause, bool *mixed)
    __attribute__((warn_unused_result));

/*
 * Tells the points on the way of a run at which nothing can happen though loosening
 * would help, but those told before; `end` is where the run ended.  One at least
 * for each cause: from a deadlock it goes on only by loosening a part of what
 * causes it, for whatever else is loosened, the same operations hold up the same
 * ranks.  And if the run itself ended in a deadlock, somebody who only waits for
 * those it holds is not told.  With `every`, all such points are, and nobody asks whether they are mixed.
 *
 * Runs differ in what they have decided, and most points lie on the way of many.  What follows from a point depends on where it
 * stands and on what is owed there: if there was no deadlock from a point on once, there is none from it on the way of any run.
 */
typedef void tell_fn(void *, const struct tight *);
struct slack_deadlock_search {
    const struct state *end;
    bool end_is_deadlock;
    bool end_is_clean; /* then what waits for those who never come is not told: that is an error by itself */
    bool every;
    struct seen *told;
    struct seen *harmless; /* points from which no deadlock is reached, by tight_key; some are added */
    size_t most;     /* how many points are looked at, at most */
    bool incomplete; /* set if there are more; also if time is over */
    bool strayed;    /* set if, with windows, all was loosened and it did not come to the end of the run */
    tell_fn *tell;
    void *data;
};
int slack_deadlock_search(struct game *, struct menu *, struct slack_deadlock_search *)
    __attribute__((warn_unused_result));

/*
 * A set of operations, by `user`, that must be loosened for the run to make all its
 * decisions, and of which none can be left out; `path` is these decisions.  Empty
 * also if it is longer than `most`; if time is over, some could be left out.
 */
int slack_needed(struct game *, struct menu *, const struct pick *path, size_t n, size_t most, users_t *)
    __attribute__((warn_unused_result));

#endif
