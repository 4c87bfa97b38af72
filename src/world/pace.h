/*
 * pace -- on how many cores the ranks run.
 *
 * Ranks that ask tourney all the time are fastest on one core, where waking another is
 * a switch and not an interrupt; ranks that compute, or know most answers themselves, want all of them.  So the
 * world starts spread out and is drawn together while the time between two
 * rounds of answers is short.
 */
#ifndef WORLD_PACE_H
#define WORLD_PACE_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

struct rank;

struct pace {
    cpu_set_t allowed; /* where tourney itself may run */
    bool together;
    bool answered;     /* somebody was, since the last round */
    int rounds;        /* with answers, since `since` */
    int64_t since;     /* ns */
};

int pace_cores(const struct pace *); /* on so many the ranks may run now */
void pace_open(struct pace *);
void pace_close(struct pace *);
void pace_note_answer(struct pace *); /* a rank that slept was woken */
void pace_note_round(struct pace *, const struct rank *, int ranks);
void pace_note_computing(struct pace *, const struct rank *, int ranks);

#endif
