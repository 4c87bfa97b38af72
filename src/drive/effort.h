/*
 * effort -- what segments cost beyond the usual.
 *
 * The search measures its work by counting segments (explore/deepening.c).  Of a rank that computes for long between its calls, or whose memory
 * takes long to copy and to look at, one segment is worth many.  So the processor time of the rank and of tourney is taken, which hardly
 * depends on what else the machine does, and told in segments of the usual length.  What is usual is not told at all, so that a
 * search of such segments goes the same way each time; and what was told once stands in the journal.
 *
 * To ask for processor time is a system call, which segments of a few microseconds would feel.  Rank and tourney take turns, so a segment that
 * was brief on the clock was brief for the processor, and both together take no longer than the clock says.  So of brief ones nobody asks, and their time on the
 * clock is taken off when somebody does.
 *
 * A rank that is followed step by step takes long in every segment, and its steps are the better measure: they are the same each time.
 */
#ifndef DRIVE_EFFORT_H
#define DRIVE_EFFORT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "world/herd.h"

/* Of a process, in microseconds. */
struct spent_time {
    int64_t spent; /* of the processor's time, when that was last asked for */
    int64_t brief; /* on the clock, in segments since then for which nobody has asked */
};

struct effort {
    int64_t begun; /* when the last segment did, on the clock */
    bool aside;    /* it was begun before it was asked for: the clock says nothing of it */
    bool was_long; /* the one before: another one may follow, so somebody asks at its beginning, too */
    struct spent_time own;
    struct {
        pid_t process;
        struct spent_time time;
    } rank[HERD_MAX]; /* by animal */
};

/* A segment is asked for; perhaps it ran aside before; and was run by this animal, whose process is this: what it took. */
void effort_begin(struct effort *);
void effort_was_aside(struct effort *);
uint16_t effort_end(struct effort *, int animal, pid_t);

/* The processor time that a process has spent, in microseconds; 0: there is none. */
int64_t effort_of_process(pid_t);

/* What a segment took in which a rank was followed for so many steps. */
uint16_t effort_of_steps(uint64_t steps);

#endif
