/*
 * deepening -- a search that does not end is gone on with by what its runs cost (agenda.h), so that it can be
 * said at any time what is complete.
 *
 * The order is that of the shortest path: what is cheapest is tried first, and when nothing of a cost or less is left,
 * all runs of that cost are known.  What was visited before it turned to this order, and random runs on the way, have
 * reached states at a higher cost than need be.  So before a level is called complete, what states
 * cost is found out anew over all edges that are known, and nothing may be left on that level then.
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
 * Under two bounds at one time, states count as different if they were reached by different numbers of other choices; so the
 * order by late polls alone is exact.
 */
#include "explore/search.h"

#include "base/log.h"

/*
 * To run a segment takes some thirty times as long as a decision in memory.  With these numbers a search turns after some
 * seconds, and most end before.
 */
enum { SEGMENT_WORK = 30, DEEPEN_AFTER = 500000, STRAY_SHARE = 4, OVERDUE = 50000 };

uint64_t search_work(const struct explorer *x)
{
    return x->result.steps + SEGMENT_WORK * (x->game.tree.segments - x->scouted_segments);
}

bool search_should_deepen(const struct explorer *x)
{
    uint64_t after = x->options.deepen_after ? x->options.deepen_after : DEEPEN_AFTER;

    return !x->options.stepwise && search_work(x) > after;
}

/* ---- prices ---- */

cost_t search_price(const struct explorer *x, struct pick pick)
{
    return cost_of(x->counts_late && pick.late, x->counts_other && pick.other);
}

bool search_is_for_later(const struct explorer *x, cost_t cost, struct pick pick)
{
    return x->deepens && cost + search_price(x, pick) > x->level;
}

/* Under two bounds, how many other choices there were is part of the state: what goes beyond is never wanted. */
static bool is_never_wanted(const struct explorer *x, cost_t cost, struct pick pick)
{
    return x->options.mixing && x->options.lateness && cost_other(cost + search_price(x, pick)) > x->options.mixing;
}

/* Those of the options that are `late`, or `other`, as these two say. */
static void defer_alike(struct explorer *x, const struct frame *frame, const struct option *option, size_t n, bool all,
                        bool other, bool late)
{
    struct pick alike = {.other = other, .late = late};
    struct errand errand = {.step = frame->step, .price = search_price(x, alike), .share = frame->share};

    vec_clear(&x->picks);
    for (size_t i = 0; i < n; i++) {
        struct pick pick = option_pick(&option[i]);

        if (pick.other != other || pick.late != late || !(all || search_is_for_later(x, frame->cost, pick)))
            continue;
        if (!is_never_wanted(x, frame->cost, pick)) {
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
    defer_alike(x, frame, option, n, all, true, true);
    defer_alike(x, frame, option, n, all, true, false);
    defer_alike(x, frame, option, n, all, false, false);
}

/* ---- what states cost ---- */

static void spread_cost(struct explorer *x, const struct sorted *ahead, turns_t *turns, struct turn turn)
{
    for (size_t i = ahead->first[turn.number]; i < ahead->first[turn.number + 1]; i++) {
        struct state_edge edge = search_edge(x, ahead->index[i]);
        cost_t cost = turn.cost + search_price(x, edge.pick);

        if (cost >= x->agenda.cost.at[edge.to])
            continue;
        x->agenda.cost.at[edge.to] = cost;
        turns_add(turns, (struct turn){cost, edge.to});
    }
}

/* The cheapest way to each state, over all edges [Dijkstra 1959]. */
static void find_costs(struct explorer *x)
{
    struct sorted ahead = search_sort_edges(x, false);
    turns_t turns = {0};

    agenda_note(&x->agenda, (uint32_t)x->step.n - 1, COST_UNKNOWN);
    for (size_t s = 0; s < x->step.n; s++)
        x->agenda.cost.at[s] = COST_UNKNOWN;
    x->agenda.cost.at[1] = 0;
    turns_add(&turns, (struct turn){0, 1});
    while (turns.n) {
        struct turn turn = turns_take(&turns);

        if (turn.cost == x->agenda.cost.at[turn.number])
            spread_cost(x, &ahead, &turns, turn);
    }
    vec_release(&turns);
    sorted_release(&ahead);
    agenda_sort(&x->agenda);
}

/* ---- the order ---- */

void search_put_frames_aside(struct explorer *x)
{
    if (!x->deepens) {
        LOG(explore, "after %llu decisions and %llu segments the search is gone on with by costs",
            (unsigned long long)x->result.steps, (unsigned long long)x->game.tree.segments);
        x->deepens = true;
        x->turned_at = search_work(x);
        find_costs(x);
    }
    for (size_t f = 0; f < x->frame.n; f++) {
        struct frame *frame = &x->frame.at[f];

        frame->cost = x->agenda.cost.at[frame->step];
        search_defer(x, frame, &x->pending.at[frame->first], frame->until - frame->first, true);
        state_free_with_tight(&x->game, frame->state);
    }
    vec_clear(&x->frame);
    vec_clear(&x->pending);
}

static bool has_bound(const struct explorer *x)
{
    return x->options.mixing || x->options.lateness;
}

/* Runs at random are a part of the work since it began to deepen. */
static bool is_behind_with_strays(const struct explorer *x, uint64_t allowance)
{
    return !has_bound(x) && x->strayed * STRAY_SHARE + allowance <= search_work(x) - x->turned_at;
}

bool search_should_stray(const struct explorer *x)
{
    return is_behind_with_strays(x, OVERDUE);
}

/* -1: the runner failed. */
static int stray(struct explorer *x)
{
    uint64_t before = search_work(x);
    int status = search_stray(x);

    x->result.strays++;
    x->strayed += search_work(x) - before;
    return status;
}

/* The next errand becomes a frame; -1: the runner failed. */
static int take_errand(struct explorer *x)
{
    struct errand errand = agenda_take(&x->agenda);
    const struct pick *pick = &x->agenda.pick.at[errand.first];
    struct frame frame = {.state = errand.state ? errand.state : search_reach(x, errand.step),
                          .step = errand.step,
                          .cost = x->agenda.cost.at[errand.step],
                          .share = errand.share};

    if (!frame.state)
        return -1;
    menu_fill(&x->menu, &x->game, frame.state);
    vec_clear(&x->pending);
    for (size_t i = errand.n; i-- > 0;)
        vec_push(&x->pending, *search_find_option(&x->menu, pick[i]));
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

    if (!x->counts_late || first)
        *complete = (struct completeness){.some = true, .any_late = !x->counts_late || !x->menu.late,
                                              .other = cost_other(next) - 1};
    else if (cost_late(next))
        *complete = (struct completeness){.some = true, .any_late = !x->menu.late, .late = cost_late(next) - 1,
                                              .any_other = !both, .other = x->options.mixing};
    LOG(explore, "everything is known up to %u late polls and %u other choices", cost_late(x->level),
        cost_other(x->level));
}

static bool is_beyond_bound(const struct explorer *x, cost_t cost)
{
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
    bool any = true;

    if (is_behind_with_strays(x, 0))
        return stray(x) < 0 ? -1 : 1;
    if (agenda_next(&x->agenda) <= x->level)
        return take_errand(x) < 0 ? -1 : 1;
    if (x->agenda.stale) {
        find_costs(x);
        return 1;
    }
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
