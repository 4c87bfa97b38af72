/*
 * dives -- stretches of a search by costs in which it goes on depth first.
 *
 * What is next by its cost is seldom near to what was done last, so the state is made again by the decisions on the way there (waypoints.h).
 * Where there are many states and little is run for each, say because senders have run far ahead, that is nearly all that is done, and a search
 * that would soon have ended depth first takes ten times as long.  So as much as goes into such ways is done depth first, from what was put off last,
 * whatever it costs: there nothing has to be made again.
 *
 * A state that is met on a dive is known by its cost like any other, and is visited once, either way.  So levels are what they
 * were: one is complete when nothing that costs less is left.  What another state stands for (stand_ins.c) stays for the end.
 */
#include "explore/search.h"

#include "base/log.h"

enum { LEAST = 5000 }; /* work that a dive is worth, unless it is to be tried as soon as possible */

/* Of these there is none under a bound, beyond which nothing is wanted. */
static uint64_t work_on_ways(const struct explorer *x)
{
    return search_has_bound(x) ? 0 : x->result.retraced - x->dives.retraced;
}

static uint64_t work_on_dives(const struct explorer *x)
{
    return x->dives.done + (x->dives.on ? search_work(x) - x->dives.since : 0);
}

bool search_should_dive(const struct explorer *x)
{
    return x->dives.on ? !search_dive_is_over(x) : work_on_ways(x) > work_on_dives(x) + (x->options.deepen_after ? 0 : LEAST);
}

bool search_dive_is_over(const struct explorer *x)
{
    return work_on_dives(x) >= work_on_ways(x);
}

static void begin_dive(struct explorer *x)
{
    LOG(explore, "after %llu decisions and %llu on the way to others it is gone on depth first for a while", (unsigned long long)x->result.steps,
        (unsigned long long)x->result.retraced);
    x->dives.on = true;
    x->dives.since = search_work(x);
    x->dives.before = (uint32_t)x->agenda.errand.n;
}

void search_end_dive(struct explorer *x)
{
    uint64_t work = x->dives.on ? search_work(x) - x->dives.since : 0;

    x->dives.done += work;
    x->dives.on = false;
    x->counting_since += work; /* it says nothing of what is counted */
}

bool search_next_dive(struct explorer *x, struct errand *errand)
{
    uint32_t number;

    if (!x->dives.on)
        begin_dive(x);
    number = agenda_latest(&x->agenda, x->dives.before, COST_OWED);
    if (!number) {
        search_end_dive(x);
        return false;
    }
    x->dives.before = number;
    *errand = agenda_take_number(&x->agenda, &x->game, number);
    return true;
}
