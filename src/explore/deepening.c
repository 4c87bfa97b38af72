/*
 * deepening -- a search that does not end is gone on with by what its runs cost (agenda.h), so that it can be
 * said at any time what is complete.
 *
 * The order is that of the shortest path: what is cheapest is tried first, and when nothing of a cost or less is left,
 * all runs of that cost are known.  What was visited before it turned to this order, and random runs on the way, have
 * reached states at a higher cost than need be: when a cheaper way is found, all that follows becomes cheaper (state_costs.c).
 *
 * What that says of runs.  The search reduces: it decides one point and leaves the rest for later, and of runs that
 * differ in the order of their decisions only, it makes one.  An option has its price in the state in which
 * it is taken there.  Let a decision of a run be *certain to be first* if no option before it could be taken, or
 * could come up however long the point stayed undecided; in the same way a no is *inevitable* if no yes can come.  Then:
 *
 *     Once level k is complete, all runs are known in which at most k decisions are not certain to be first
 *     (k polls say a no that is not inevitable).
 *
 * For options come up and do not go away while a point is undecided.  So the price of an option is never less in a
 * state than in an earlier one, it is nothing for a decision that is certain to be first, and to make other decisions before
 * does not make a certain one uncertain.  Hence a run with k uncertain decisions costs k at most in whichever order the search
 * makes its decisions.  And that a point may be decided alone rests on runs that show what others send (one_point.c): such
 * a run takes the first option of that point, which costs nothing, and then what the others decide in the run that
 * would otherwise be missed, which costs no more there.  So it is on the same level, or below.
 * (test/model/explore_brute.c tries it.)
 *
 * The lowest level can be too wide already: where ranks poll while others work, each no costs nothing as long as no yes is there, and may be said at any
 * time.  So if it takes too long before there is anything to be said, departures are counted for a while, and then again late polls and other
 * choices, by turns and each time for longer.  Of what is tried in a state, all but the first departs from what the search would decide by itself
 * (others call it a delay [Emmi 2011]).  There is one run without departures, and few with one:
 *
 *     Once level k is complete, all runs are known that depart at most k times.
 *
 * That rests on no argument about reductions: it speaks of runs as the search makes them, its reduction being part of how it decides.
 *
 * Under two bounds at one time, states count as different if they were reached by different numbers of other choices; so the
 * order by late polls alone is exact.
 */
#include "explore/search.h"

#include "base/log.h"

/*
 * To run a segment takes some thirty times as long as a decision in memory; one that takes longer says so (struct segment).  With
 * these numbers a search turns after a second or some, and most end before.  Until its first run has ended, it has little to turn away from.
 * Nor has one that will be over soon: depth first it needs less, for what is tried next begins where the last ended.
 */
enum { SEGMENT_WORK = 30, DEEPEN_AFTER = 60000, DEEPEN_ANYWAY = 8, SOON = 64, STRAY_SHARE = 4, OVERDUE = 50000, COUNTING_SHARE = 8, COUNTING_LEAST = 1000 };

uint64_t search_work(const struct explorer *x)
{
    return x->result.steps + x->result.retraced + SEGMENT_WORK * (tree_work(&x->game.tree) - x->scouted_work);
}

/* Whether it needs no more than so much work in all, if what is left is like what was done [Knuth 1975]. */
static bool will_end_within(const struct explorer *x, uint64_t done, uint64_t work)
{
    return (double)done <= x->covered * (double)work;
}

bool search_should_deepen(const struct explorer *x)
{
    uint64_t after = x->options.deepen_after ? x->options.deepen_after : DEEPEN_AFTER;
    uint64_t done = search_work(x) - x->begun_at;

    if (x->options.stepwise || done <= (x->ended.n ? after : DEEPEN_ANYWAY * after))
        return false;
    return x->options.deepen_after || !will_end_within(x, done, SOON * after);
}

/* ---- prices ---- */

cost_t search_price(const struct explorer *x, struct pick pick)
{
    if (x->counts_departures)
        return cost_of(0, pick.departs);
    return cost_of(x->counts_late && pick.late, x->counts_other && pick.other);
}

bool search_is_for_later(const struct explorer *x, uint32_t step, struct pick pick)
{
    return x->deepens && search_cost(x, step) + search_price(x, pick) > (x->dives.on ? COST_OWED - 1 : x->level);
}

/* Under two bounds, how many other choices there were is part of the state: what goes beyond is never wanted. */
static bool is_never_wanted(const struct explorer *x, uint32_t step, struct pick pick)
{
    return x->options.mixing && x->options.lateness &&
           cost_other(search_cost(x, step) + search_price(x, pick)) > x->options.mixing;
}

static bool picks_are_alike(struct pick a, struct pick b)
{
    return a.other == b.other && a.late == b.late && a.departs == b.departs;
}

/* Those of the options that are `late`, or `other`, or depart, as this one does: they cost the same, whatever is counted. */
static void defer_alike(struct explorer *x, const struct frame *frame, const struct option *option, size_t n, bool all,
                        struct pick alike)
{
    struct errand errand = {.step = frame->step, .price = search_price(x, alike), .share = frame->share};

    vec_clear(&x->picks);
    for (size_t i = 0; i < n; i++) {
        struct pick pick = option_pick(&option[i]);

        if (!picks_are_alike(pick, alike) || !(all || search_is_for_later(x, frame->step, pick)))
            continue;
        if (!is_never_wanted(x, frame->step, pick)) {
            vec_push(&x->picks, pick);
            continue;
        }
        x->result.left |= LEFT_MIXING;
        x->covered += frame->share;
    }
    agenda_add(&x->agenda, &x->game, errand, x->picks.at, x->picks.n, frame->state);
}

void search_defer(struct explorer *x, const struct frame *frame, const struct option *option, size_t n, bool all)
{
    if (!x->deepens)
        return;
    for (int departs = 1; departs >= 0; departs--) {
        defer_alike(x, frame, option, n, all, (struct pick){.other = true, .late = true, .departs = departs});
        defer_alike(x, frame, option, n, all, (struct pick){.other = true, .departs = departs});
        defer_alike(x, frame, option, n, all, (struct pick){.departs = departs});
    }
}

/* ---- the order ---- */

void search_put_frames_aside(struct explorer *x)
{
    if (!x->deepens) {
        LOG(explore, "after %llu decisions and %llu segments the search is gone on with by costs",
            (unsigned long long)x->result.steps, (unsigned long long)x->game.tree.segments);
        x->deepens = true;
        x->turned_at = x->counting_since = search_work(x);
        x->dives = (struct dives){.retraced = x->result.retraced};
        x->counting_for = COUNTING_LEAST + x->turned_at / COUNTING_SHARE;
        search_find_costs(x);
    }
    for (size_t f = 0; f < x->frame.n; f++) {
        struct frame *frame = &x->frame.at[f];

        search_defer(x, frame, &x->pending.at[frame->first], frame->until - frame->first, true);
        state_free_with_tight(&x->game, frame->state);
    }
    vec_clear(&x->frame);
    vec_clear(&x->pending);
}

bool search_has_bound(const struct explorer *x)
{
    return x->options.mixing || x->options.lateness || x->options.departures;
}

/* Runs at random are a part of the work since it began to deepen.  In a long program one takes a while, so what is nearest comes first. */
static bool is_behind_with_strays(const struct explorer *x, uint64_t allowance)
{
    return !search_has_bound(x) && x->strayed * STRAY_SHARE + allowance + x->turned_at / STRAY_SHARE <= search_work(x) - x->turned_at;
}

/* Whether something else is to be counted, since what is counted leads to nothing that could be said. */
static bool is_counted_in_vain(const struct explorer *x)
{
    return !search_has_bound(x) && !completeness_is_news(&x->result.complete) &&
           search_work(x) - x->counting_since > x->counting_for;
}

static void count_otherwise(struct explorer *x)
{
    cost_t level = x->level;

    x->counts_departures = !x->counts_departures;
    x->level = x->other_level;
    x->other_level = level;
    x->counting_since = search_work(x);
    x->counting_for *= 2;
    search_find_costs(x);
    LOG(explore, "after %llu decisions and %llu segments %s are counted", (unsigned long long)x->result.steps,
        (unsigned long long)x->game.tree.segments, x->counts_departures ? "departures" : "late polls and other choices");
}

bool search_should_turn_aside(const struct explorer *x)
{
    return x->dives.on ? search_dive_is_over(x) : is_behind_with_strays(x, OVERDUE) || is_counted_in_vain(x);
}

/* -1: the runner failed. */
static int stray(struct explorer *x)
{
    uint64_t before = search_work(x);
    int status = search_stray(x, x->turned_at + (before - x->turned_at) / STRAY_SHARE);

    x->result.strays++;
    x->strayed += search_work(x) - before;
    return status;
}

/* An option as it was when it was planned. */
static void push_planned(struct explorer *x, struct pick pick)
{
    struct option option = *search_find_option(&x->menu, pick);

    option.departs = pick.departs;
    vec_push(&x->pending, option);
}

/* An errand becomes a frame; -1: the runner failed. */
static int go_on_errand(struct explorer *x, struct errand errand)
{
    const struct pick *pick = &x->agenda.pick.at[errand.first];
    struct frame frame = {.state = errand.state ? errand.state : search_reach(x, errand.step),
                          .step = errand.step,
                          .share = errand.share};

    if (!frame.state)
        return -1;
    LOG(explore, "state %u, which costs %u late polls and %u others%s, is gone on from by %u options at %llu more", errand.step,
        cost_late(search_cost(x, errand.step)), cost_other(search_cost(x, errand.step)),
        search_cost(x, errand.step) & COST_OWED ? " and is put off" : "", errand.n, (unsigned long long)errand.price);
    menu_fill(&x->menu, &x->game, frame.state);
    vec_clear(&x->pending);
    for (size_t i = errand.n; i-- > 0;)
        push_planned(x, pick[i]);
    frame.until = x->pending.n;
    vec_push(&x->frame, frame);
    return 0;
}

/* ---- what is complete ---- */

/* Everything that costs less than `next` is known. */
static void note_complete(struct explorer *x, cost_t next)
{
    struct completeness *complete = &x->result.complete;
    bool both = x->options.mixing && x->options.lateness, first = !cost_late(next) && x->counts_other;

    if (next & COST_OWED) { /* but for those, everything is known */
        *complete = (struct completeness){.some = true, .any_late = true, .any_other = true, .departures = complete->departures};
        LOG(explore, "everything is known if MPI buffers everything");
        return;
    }
    if (x->counts_departures) {
        complete->departures = cost_other(next);
        LOG(explore, "everything is known up to %u departures", cost_other(next) - 1);
        return;
    }
    if (!x->counts_late || first)
        *complete = (struct completeness){.some = true, .any_late = !x->counts_late || !x->menu.late,
                                              .other = cost_other(next) - 1, .departures = complete->departures};
    else if (cost_late(next))
        *complete = (struct completeness){.some = true, .any_late = !x->menu.late, .late = cost_late(next) - 1,
                                              .any_other = !both, .other = x->options.mixing,
                                              .departures = complete->departures};
    LOG(explore, "everything is known up to %u late polls and %u other choices", cost_late(x->level),
        cost_other(x->level));
}

static bool is_beyond_bound(const struct explorer *x, cost_t cost)
{
    if (x->options.departures)
        return cost_other(cost) >= x->options.departures;
    return x->options.lateness ? cost_late(cost) >= x->options.lateness
                               : x->options.mixing && cost_other(cost) > x->options.mixing;
}

/* Nothing is left on this level: goes on to the next; false: that was all, or is all that is wanted. */
static bool go_deeper(struct explorer *x)
{
    cost_t next = agenda_next(&x->agenda);

    if (next == COST_UNKNOWN) {
        x->result.complete = (struct completeness){0};
        if (!(x->result.left & LEFT_MIXING))
            return false;
        next = cost_of(x->options.lateness, 0); /* no poll is late, but for those beyond the other bound */
    }
    note_complete(x, next);
    if (is_beyond_bound(x, next)) {
        x->result.left |= agenda_next(&x->agenda) == COST_UNKNOWN ? 0 : x->options.lateness ? LEFT_LATE : LEFT_MIXING;
        return false;
    }
    x->level = next;
    return true;
}

/* One thing after the other; whether there is more. -1: the runner failed. */
static int do_next(struct explorer *x)
{
    struct errand errand;
    bool any = true;

    if (search_should_dive(x) && search_next_dive(x, &errand))
        return go_on_errand(x, errand) < 0 ? -1 : 1;
    search_end_dive(x);
    if (is_counted_in_vain(x))
        count_otherwise(x);
    if (is_behind_with_strays(x, 0))
        return stray(x) < 0 ? -1 : 1;
    if (agenda_next(&x->agenda) <= x->level)
        return go_on_errand(x, agenda_take(&x->agenda, &x->game)) < 0 ? -1 : 1;
    if (search_repair(x, &any) < 0)
        return -1;
    if (any || x->game.learned || x->result.left & LEFT_STOPS)
        return 1;
    return go_deeper(x);
}

int search_deepen(struct explorer *x)
{
    int more = 1;

    while (more > 0 && !x->game.learned && !(x->result.left & LEFT_STOPS)) {
        more = do_next(x);
        if (more >= 0 && search_to_end(x) < 0)
            more = -1;
        if (more > 0 && agenda_next(&x->agenda) != COST_UNKNOWN)
            search_is_over(x);
    }
    return more < 0 ? -1 : 0;
}
