#include "drive/effort.h"

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

/* What a process has spent since it was last looked at, or since it is there. */
static int64_t time_of_rank(struct effort *effort, int animal, pid_t process)
{
    int64_t before, now;
    if (effort->rank[animal].process != process) {
        effort->rank[animal].process = process;
        effort->rank[animal].spent = 0;
        if (clock_getcpuclockid(process, &effort->rank[animal].clock) != 0) {
            effort->rank[animal].process = 0;
            return 0;
        }
    }
    before = effort->rank[animal].spent;
    now = time_of(effort->rank[animal].clock);
    effort->rank[animal].spent = now;
    return now > before ? now - before : 0;
}

static uint16_t beyond_the_usual(uint64_t segments)
{
    return (uint16_t)(segments < FEW ? 0 : segments > UINT16_MAX ? UINT16_MAX : segments);
}

void effort_begin(struct effort *effort)
{
    effort->own = time_of(CLOCK_PROCESS_CPUTIME_ID);
}

uint16_t effort_end(struct effort *effort, int animal, pid_t process)
{
    int64_t spent = time_of(CLOCK_PROCESS_CPUTIME_ID) - effort->own + time_of_rank(effort, animal, process);
    return beyond_the_usual(spent > 0 ? (uint64_t)spent / SEGMENT : 0);
}

uint16_t effort_of_steps(uint64_t steps)
{
    return beyond_the_usual(steps / STEPS);
}
