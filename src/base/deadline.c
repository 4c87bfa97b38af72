#include "base/deadline.h"

#include <signal.h>

#include "base/clock.h"

static struct {
    int64_t until; /* in microseconds; 0: no limit */
    volatile sig_atomic_t cut;
} deadline;

void deadline_begin(double seconds)
{
    deadline.until = seconds > 0 ? microseconds() + (int64_t)(seconds * 1e6) : 0;
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
