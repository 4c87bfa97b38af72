/*
 * trail -- the segments that each rank has gone through on one path of the search.
 *
 * A node does not tell: it may be reached in several ways.  Trails are kept only
 * while a path is gone once more to tell what happened on it.
 */
#ifndef EXPLORE_TRAIL_H
#define EXPLORE_TRAIL_H

#include "outcome/account.h"
#include "explore/tree.h"

struct trails {
    int ranks;
    VEC(node_id) *at;              /* owns; by rank; these, and the pairings, lie on disk if they are long */
    VEC(uint32_t) *until;          /* owns; how many operations there are up to the end of each */
    VEC(uint32_t) *silent_until;   /* owns; the same without complaints */
    VEC(const struct ret *) *ret;  /* owns; what led to each, that of the node or a copy; NULL: a no */
    node_id *head;                 /* owns; by rank: of a round, if its last node stands where this one would; else none */
    VEC(struct ret *) copy;        /* owns, with the copies */
    VEC(struct pairing) pairing;   /* which operations met, or could have */
    VEC(struct pairing) window_pairing; /* which met on the context of the keepers of windows */
};

/* The segment that an operation is in, by the ends of all; `n`: in none. */
static inline size_t segment_of_number(const uint32_t *until, size_t n, uint32_t number)
{
    size_t low = 0, high = n; /* the first whose end is behind it is in between */

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (until[middle] > number)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void trails_init(struct trails *, int ranks);
void trails_release(struct trails *);
void trails_clear(struct trails *);

/* The rank comes to a node by a return, NULL at the beginning. */
void trails_enter(struct trails *, const struct tree *, rank_t, node_id, const struct ret *);
/* The rank stands at the head of its round of polls, which may be behind it or ahead; or at a poll that is like the head, if it came in elsewhere. */
void trails_spin(struct trails *, struct tree *, rank_t, node_id head);
/* is told no up to this node. */
void trails_told_no(struct trails *, struct tree *, rank_t, node_id until);

/*
 * The number of an operation, counted from 0 in the history of its rank: of the
 * latest, if it was met twice; that of a poll where the rank spins, of the next.
 */
uint32_t trails_number(const struct trails *, struct tree *, uint32_t user);

/* The same if complaints are not counted; and what becomes of a number then. */
uint32_t trails_silent_number(const struct trails *, struct tree *, uint32_t user);
uint32_t trails_silence(const struct trails *, const struct tree *, rank_t, uint32_t number);

/* A send meets a receive or, not `made`, could have. */
void trails_pair(struct trails *, struct tree *, uint32_t send, uint32_t recv, bool made);
/* The same of what keepers of windows receive and send. */
void trails_pair_at_window(struct trails *, struct tree *, uint32_t send, uint32_t recv);

#endif
