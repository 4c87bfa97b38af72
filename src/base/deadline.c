#include "base/deadline.h"

#include <signal.h>

#include "base/clock.h"

static struct {
    int64_t until; /* in microseconds; 0: no limit */
    int64_t half, late; /* the same */
    volatile sig_atomic_t cut;
} deadline;

void deadline_begin(double seconds)
{
    int64_t now = microseconds();
    deadline.until = seconds > 0 ? now + (int64_t)(seconds * 1e6) : 0;
    deadline.half = seconds > 0 ? now + (int64_t)(seconds * 5e5) : 0;
    deadline.late = seconds > 0 ? now + (int64_t)(seconds * 1e6 * 15 / 16) : 0;
    deadline.cut = 0;
}

void deadline_cut(void)
{
    deadline.cut = 1;
}

bool deadline_was_shortened(void)
{
    return deadline.cut;
}

bool deadline_is_over(void)
{
    return deadline.cut || (deadline.until && microseconds() > deadline.until);
}

bool deadline_is_near(void)
{
    return deadline.half && microseconds() > deadline.half;
}

bool deadline_is_imminent(void)
{
    return deadline.late && microseconds() > deadline.late;
}
