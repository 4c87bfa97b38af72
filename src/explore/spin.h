/*
 * spin -- polls that go round (M8).
 *
 * The law for Test*, Iprobe and Improbe:
 * - A poll may say yes when that is possible and no at any time.  That does not
 *   depend on who has got how far elsewhere: "no" is always open, and a "yes"
 *   that has become possible stays so until the rank moves.  Both answers can
 *   thus wait until everybody rests, and no run is lost.
 * - A rank that was told no and, having posted nothing since, comes to a poll
 *   where it was told no before, is where it was: the "no"s in between changed
 *   nothing and are no decisions.  The polls of such a round are together one
 *   wait, for the first yes to any of them.  If none can ever say yes, the rank
 *   is stuck (progress: "no" for ever is not an answer).
 * The second part cannot be seen from what it does, for the rank may be counting, or look
 * at a clock.  If its image shows that it is where it was, that is certain, and it was there already
 * before it was first told no, if its image was the same then, whatever it had posted.  Else it is told no
 * until it does something else:
 * - Within `rounds` rounds: every poll is a decision of its own, so nothing is left out.
 * - Later, but within `ahead` polls: the rank gives up there.  What it can be told is yes in the
 *   first round, yes in the last one, and no up to its end.  A yes in between is taken to be like
 *   one in the first round.
 * - Not within `ahead` polls: it is taken to go on for ever.  A yes in a later round is taken to be like one in the first.
 * When all that has been searched, a yes is tried in some of the rounds between, too (later_rounds.c).
 * What was left out or taken to be so is told by explore_next_polled, with the place.  To look ahead
 * takes time, so of many histories that come to one place only some are followed that
 * far, and none before a run was made ahead, if one is to be (scout.c).  But before a rank is called stuck it is told no very much oftener; if it then
 * gives up, the search begins anew, and polls at that place are looked ahead of further.
 */
#ifndef EXPLORE_SPIN_H
#define EXPLORE_SPIN_H

#include "explore/tree.h"

/* How far polls are followed. */
struct spin_limits {
    uint32_t rounds; /* 0: nobody is taken to spin */
    uint32_t ahead;
};

/*
 * The first of the polls among which this one, a node that ends in a poll, goes
 * round, or NODE_NONE if "no" leads on to something else.  NODE_NONE also if the
 * runner failed.
 */
node_id spin_head(struct tree *, node_id, struct spin_limits);

/* The same of a node for which it was asked before, or NODE_NONE. */
node_id spin_known_head(const struct tree *, node_id);

/* How those who go round from this head give up; NULL: they do not. */
const struct polls_ahead *spin_exit(const struct tree *, node_id head);

/*
 * Whether it goes round, from this head, although it is told no that often.  If not, it
 * gives up, or comes to be where it was by polls that were followed from elsewhere, and the search has to begin anew.  False, too, if the runner failed.
 */
bool spin_goes_on(struct tree *, node_id head, uint32_t patience);

/* Whether one that goes round like that, as far as it was looked at, can be followed further in leaps (leaps.h): up to so many noes more. */
bool spin_can_leap(const struct tree *, node_id head);
enum spin_way {
    SPIN_ON,    /* it still polls */
    SPIN_OUT,   /* it gives up: polls at that place are looked ahead of that far from now on */
    SPIN_STRAYS /* it does, but so late that nobody looks through what it could be told up to there, or not when it is told no by no */
};
enum spin_way spin_leap(struct tree *, node_id head, uint32_t noes);

/* How many polls from the head on, and with it, are known to go round. */
uint32_t spin_reach(const struct tree *, node_id head);

/* A poll in a later round, of those within spin_reach, may be told yes from now on; one after the other, `at` is 0 at first.  NODE_NONE: that was all. */
void spin_add_later(struct tree *, node_id head, node_id poll);
node_id spin_later(const struct tree *, node_id head, uint32_t *at);
bool spin_is_later(const struct tree *, node_id head, node_id poll);
void spin_forget_later(struct tree *);

/* Whether two polls ask the same, from the same place in the program. */
bool spin_same_poll(const struct op *, const struct op *);

/* Whether all that the rank does there is a poll. */
bool spin_only_polls(const struct tree *, node_id);

/* What follows when it is told no. */
node_id spin_no(struct tree *, node_id);

#endif
