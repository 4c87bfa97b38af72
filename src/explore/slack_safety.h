/*
 * slack_safety -- states from which less slack is no deadlock, whatever is decided (L9).
 *
 * What a tight state owes (tight.h) tells runs apart that are one to the search: two masters that share their workers have as
 * many sequences of debts as orders of messages, where the states themselves merge.  That is the price for telling each deadlock on
 * the way of its run.  Where there is none to be told, nothing has to be paid.
 *
 * In a deadlock under some slack each rank is held up by one call at most, and whatever it has passed might as well have been
 * loosened at once (L6).  So to see whether there is one, nothing is owed: whenever a rank is held up by a call, either it is loosened or
 * the rank stays in it for good.  A run in which it gets on nevertheless is left, for it was tried with the call loosened.
 * Whatever else can be decided is, each state once, and one point alone if that is enough (reduction.h).
 * Where a rank is held up by sends whose receivers take them, wherever they stand (takers.h), it does not stay: no deadlock comes of that (L19).
 * If no deadlock is met, the state is safe, and the search need not follow it any further.
 */
#ifndef EXPLORE_SLACK_SAFETY_H
#define EXPLORE_SLACK_SAFETY_H

#include "explore/reduction.h"
#include "explore/seen.h"
#include "explore/step_index.h"
#include "explore/takers.h"

struct slack_safety {
    struct seen safe, unsafe; /* by the keys of states, and of those that stay where they are */
    VEC(struct no_send_assumption) doubt; /* on which it rests that some are safe */
    struct seen doubted;      /* the same as a set */
    struct step_index met;    /* states of the search, without what follows them (`unowing`); it is the search that adds to them */
    bool meets;               /* the state that is being visited is to be added, if it is new */
    uint64_t kept_apart;      /* states of the search that were new by what follows them only */
    uint64_t looked_at;       /* states, for all questions */
    uint64_t segments;        /* that were run for them */
    struct takers takers;
    uint64_t losing;          /* ranks that did not receive all that was sent to them in some end of a run in which nobody stayed, as bits */
    uint64_t wait_until;      /* so many states must be kept apart before there is another question */
    bool somewhere, nowhere;  /* there is such a deadlock, or none at all */
};
void slack_safety_release(struct slack_safety *);

/*
 * Whether a state with less slack is safe, as far as can be said when so many states have been looked at, and so many segments
 * run that were not met before: 1, or 0; -1: the runner failed.
 */
struct slack_question {
    struct game *game;
    struct menu *menu;
    struct reducer *reducer;
    const struct reduction *reduction;
    uint64_t most_states, most_segments;
};
int slack_is_safe(struct slack_safety *, const struct slack_question *, const struct state *)
    __attribute__((warn_unused_result));

/* Whether a tree has shown a message that was assumed not to come: then nothing is known to be safe. */
bool slack_safety_is_refuted(const struct slack_safety *, const struct tree *);

#endif
