/*
 * late_departures -- what can be said of a search that was cut short before all runs were looked at that depart once.
 *
 * There is one run without departures (deepening.c).  In each of its decisions that had an alternative another run may depart from it, and to
 * look at all of these may take longer than there is time.  They are tried from the last decision on, so that
 *
 *     all runs are known that depart once at most, and if so, in the last n decisions of that run,
 *
 * where n grows; or in n of its decisions, if some were cut short on the way.  A departure is not known if it is left for later, or if something is
 * left, without another departure, that it leads to.
 * Found out when it is over, over all edges.  States of which one stands for the others (stand_ins.c) are one state here.
 */
#include "explore/search.h"

#include <string.h>

#include "base/log.h"

enum { NOT_ON_IT = UINT32_MAX };

struct departing {
    const struct explorer *explorer;
    VEC(uint32_t) run;  /* its states */
    bool ended;         /* it has */
    uint32_t *alike;    /* owns; by state: another one for which the same stands; 0: that was the last */
    uint32_t *depth;    /* owns; by state: where on it; or NOT_ON_IT */
    bool *branches;     /* owns; by state: something departs there, or will */
    bool *open;         /* owns; by state: something is left that follows without a departure; of a state of the run: with one */
    VEC(uint32_t) queue; /* scratch */
};

/* ---- states that are one ---- */

static uint32_t stand_in_of(const struct departing *d, uint32_t step)
{
    return search_known_stand_in(d->explorer, step);
}

/* Who stands for others is the first of a list of them. */
static void list_alike(struct departing *d)
{
    for (uint32_t s = 1; s < d->explorer->step.n; s++) {
        uint32_t other = stand_in_of(d, s);

        if (other == s)
            continue;
        d->alike[s] = d->alike[other];
        d->alike[other] = s;
    }
}

/* ---- the run without departures ---- */

/* Where it goes from a state; 0: nowhere.  Of a state that was expanded again, what was tried first counts: the rest departs. */
static uint32_t find_next_undeparted(struct departing *d, const struct sorted *ahead, uint32_t s)
{
    uint32_t next = 0;

    for (uint32_t alike = s; alike; alike = d->alike[alike])
        for (size_t i = ahead->first[alike]; i < ahead->first[alike + 1]; i++) {
            struct state_edge edge = search_edge(d->explorer, ahead->index[i]);
            uint32_t to = stand_in_of(d, edge.to);

            if (!next && !edge.pick.departs)
                next = to;
            else
                d->branches[s] = d->branches[s] || to != next;
        }
    return next;
}

static bool is_an_end(const struct departing *d, uint32_t step)
{
    const struct explorer *x = d->explorer;

    for (size_t i = 0; i < x->ended.n; i++)
        if (stand_in_of(d, x->ended.at[i].step) == step)
            return true;
    return false;
}

/* One that goes round does not end. */
static void follow_first(struct departing *d)
{
    struct sorted ahead = search_sort_edges(d->explorer, false);

    memset(d->depth, 0xff, d->explorer->step.n * sizeof *d->depth);
    for (uint32_t s = stand_in_of(d, 1); s && d->depth[s] == NOT_ON_IT; s = find_next_undeparted(d, &ahead, s)) {
        d->depth[s] = (uint32_t)d->run.n;
        vec_push(&d->run, s);
    }
    d->ended = is_an_end(d, vec_last(&d->run));
    sorted_release(&ahead);
}

/* ---- what is left ---- */

/* Not all are known that depart in this state, which is on it. */
static void doubt_departures(struct departing *d, uint32_t step)
{
    d->branches[step] = d->open[step] = true;
}

/* An option of a state is yet to be tried.  If another stands for it, that has the same. */
static void note_left(struct departing *d, uint32_t step, bool departs)
{
    if (stand_in_of(d, step) != step)
        return;
    if (d->depth[step] != NOT_ON_IT)
        doubt_departures(d, step);
    else if (!departs)
        d->open[step] = true;
}

static void note_all_left(struct departing *d)
{
    const struct explorer *x = d->explorer;

    for (size_t i = 1; i < x->agenda.errand.n; i++) {
        const struct errand *errand = &x->agenda.errand.at[i];

        if (errand->n) /* its options are alike */
            note_left(d, errand->step, x->agenda.pick.at[errand->first].departs);
    }
    for (size_t f = 0; f < x->frame.n; f++)
        for (size_t i = x->frame.at[f].first; i < x->frame.at[f].until; i++)
            note_left(d, x->frame.at[f].step, x->pending.at[i].departs);
    for (size_t i = 0; i < x->assumed.n; i++) /* what it is to be expanded again for departs */
        if (search_is_refuted(x, &x->assumed.at[i]))
            note_left(d, x->assumed.at[i].step, true);
}

/* Something is left that follows without a departure from where an edge leads to. */
static void open_state_behind(struct departing *d, struct state_edge edge)
{
    uint32_t from = stand_in_of(d, edge.from);

    if (d->depth[from] != NOT_ON_IT) {
        doubt_departures(d, from);
    } else if (from && !edge.pick.departs && !d->open[from]) {
        d->open[from] = true;
        vec_push(&d->queue, from);
    }
}

/* Back from what is left, without departures, to where the ways there have departed. */
static void find_departures(struct departing *d)
{
    struct sorted behind = search_sort_edges(d->explorer, true);

    for (uint32_t s = 1; s < d->explorer->step.n; s++)
        if (d->open[s] && d->depth[s] == NOT_ON_IT)
            vec_push(&d->queue, s);
    for (size_t done = 0; done < d->queue.n; done++)
        for (uint32_t s = d->queue.at[done]; s; s = d->alike[s])
            for (size_t i = behind.first[s]; i < behind.first[s + 1]; i++)
                open_state_behind(d, search_edge(d->explorer, behind.index[i]));
    sorted_release(&behind);
}

/* ---- what is said ---- */

static void count_known(const struct departing *d, struct completeness *complete)
{
    uint32_t decisions = 0, known = 0, last = 0;

    for (uint32_t i = 0; i < d->run.n; i++) {
        bool branches = d->branches[d->run.at[i]], open = d->open[d->run.at[i]];

        decisions += branches;
        known += branches && !open;
        last = open ? 0 : last + branches;
    }
    LOG(explore, "all is known of who departs once in %u of the %u decisions of the run without departures, which has%s ended, and of these in the last %u",
        known, decisions, d->ended ? "" : " not", last);
    if (!d->ended || !known)
        return;
    complete->known = known;
    complete->last = last;
    complete->decisions = decisions;
}

void search_find_late_departures(const struct explorer *x, struct completeness *complete)
{
    struct departing d = {.explorer = x};

    if (x->step.n < 2 || x->game.learned || x->result.left & LEFT_RUNNER)
        return;
    d.alike = xcalloc(x->step.n, sizeof *d.alike);
    d.depth = xcalloc(x->step.n, sizeof *d.depth);
    d.branches = xcalloc(x->step.n, sizeof *d.branches);
    d.open = xcalloc(x->step.n, sizeof *d.open);
    list_alike(&d);
    follow_first(&d);
    note_all_left(&d);
    find_departures(&d);
    count_known(&d, complete);
    free(d.alike);
    free(d.depth);
    free(d.branches);
    free(d.open);
    vec_release(&d.run);
    vec_release(&d.queue);
}
