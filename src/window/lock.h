/*
 * lock -- who has locked a window at one of its members.
 *
 * A request that cannot be granted is not received: it stays where it is, and whoever made it waits, or goes on without having
 * the lock, as MPI leaves it open.  So the order in which locks are granted is the order in which requests are received.  A shared lock
 * is granted beside other shared ones also when an exclusive one is wanted by somebody; MPI says nothing about that, and those
 * who wait for it could be those who hold the others up.
 */
#ifndef WINDOW_LOCK_H
#define WINDOW_LOCK_H

#include "base/map.h"
#include "window/mail.h"

struct window_lock {
    rank_t exclusive;    /* who has it alone; RANK_NONE: nobody */
    VEC(rank_t) sharing; /* by rising rank */
};

void window_lock_init(struct window_lock *);
void window_lock_copy(struct window_lock *to, const struct window_lock *from);
void window_lock_release(struct window_lock *);
struct keeper_wait window_lock_waits_for(const struct window_lock *);
void window_lock_take(struct window_lock *, rank_t from, int tag, const void *message, size_t bytes);
void window_lock_stir(const struct window_lock *, struct map_key *sum);

#endif
