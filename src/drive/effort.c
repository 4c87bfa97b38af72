#include "drive/effort.h"

#include "base/clock.h"

enum {
    SEGMENT = 300, /* microseconds that one takes */
    STEPS = 600,   /* that a rank can be followed for in that time */
    FEW = 4,       /* so many of these are still usual */
};

/* 0 also if there is no such process any more. */
static int64_t time_of(clockid_t clock)
{
    struct timespec t = {0};
    if (clock_gettime(clock, &t) < 0)
        return 0;
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t effort_of_process(pid_t process)
{
    clockid_t clock;
    return clock_getcpuclockid(process, &clock) == 0 ? time_of(clock) : 0;
}

/* What was spent since it was last asked for, but for brief segments. */
static int64_t spent_since(struct spent_time *time, int64_t now)
{
    int64_t since = now - time->spent - time->brief;
    *time = (struct spent_time){.spent = now};
    return since > 0 ? since : 0;
}

/* A process that was not there before has spent nothing yet. */
static struct spent_time *time_of_process(struct effort *effort, int animal, pid_t process)
{
    if (effort->rank[animal].process != process) {
        effort->rank[animal].process = process;
        effort->rank[animal].time = (struct spent_time){0};
    }
    return &effort->rank[animal].time;
}

static uint16_t beyond_the_usual(uint64_t segments)
{
    return (uint16_t)(segments < FEW ? 0 : segments > UINT16_MAX ? UINT16_MAX : segments);
}

void effort_begin(struct effort *effort)
{
    if (!effort->own.spent || effort->was_long)
        effort->own = (struct spent_time){.spent = time_of(CLOCK_PROCESS_CPUTIME_ID)};
    effort->begun = microseconds();
    effort->aside = false;
}

void effort_was_aside(struct effort *effort)
{
    effort->aside = true;
}

uint16_t effort_end(struct effort *effort, int animal, pid_t process)
{
    struct spent_time *rank = time_of_process(effort, animal, process);
    int64_t took = microseconds() - effort->begun, spent, of_rank;
    effort->was_long = took >= FEW * SEGMENT || effort->aside;
    if (!effort->was_long) {
        effort->own.brief += took;
        rank->brief += took;
        return 0;
    }
    spent = spent_since(&effort->own, time_of(CLOCK_PROCESS_CPUTIME_ID));
    of_rank = effort_of_process(process);
    if (of_rank)
        spent += spent_since(rank, of_rank);
    if (spent > took && !effort->aside) /* what tourney did between segments is none of it */
        spent = took;
    return beyond_the_usual((uint64_t)spent / SEGMENT);
}

uint16_t effort_of_steps(uint64_t steps)
{
    return beyond_the_usual(steps / STEPS);
}
