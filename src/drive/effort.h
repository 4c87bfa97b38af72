/*
 * effort -- what segments cost beyond the usual.
 *
 * The search measures its work by counting segments (explore/deepening.c).  Of a rank that computes for long between its calls, or whose memory
 * takes long to copy and to look at, one segment is worth many.  So the processor time of the rank and of tourney is taken, which hardly
 * depends on what else the machine does, and told in segments of the usual length.  What is usual is not told at all, so that a
 * search of such segments goes the same way each time; and what was told once stands in the journal.
 *
 * A rank that is followed step by step takes long in every segment, and its steps are the better measure: they are the same each time.
 */
#ifndef DRIVE_EFFORT_H
#define DRIVE_EFFORT_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "world/herd.h"

struct effort {
    int64_t own; /* microseconds of tourney's when the last segment began */
    struct {
        pid_t process;
        clockid_t clock;
        int64_t spent;  /* microseconds, when it was last looked at */
    } rank[HERD_MAX];   /* by animal */
};

/* A segment is asked for; and was run by this animal, whose process is this: what it took. */
void effort_begin(struct effort *);
uint16_t effort_end(struct effort *, int animal, pid_t);

/* What a segment took in which a rank was followed for so many steps. */
uint16_t effort_of_steps(uint64_t steps);

#endif
