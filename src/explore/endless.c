/*
 * endless -- states from which no run comes to its end.
 *
 * Who polls with MPI_Test or MPI_Iprobe is known to (spin.h).  Who spins on a window makes calls like any other; it is
 * known by the states: the search comes back to one that it was in.  That is no fault as long as something else can
 * happen there that lets it end.  When the search is over, states are left from which none of the ends can be reached: then
 * somebody spins for ever, whatever is decided; unless he waits for accesses that a rank holds back (state_withholds).
 */
#include "explore/search.h"

/* 1: it was told, 0: it is none, -1: the state cannot be reached again. */
static int tell_endless_at(struct explorer *x, uint32_t step)
{
    struct state *state = search_reach(x, step);
    bool withholds;

    if (!state)
        return -1;
    withholds = state_withholds(&x->game, state);
    if (!withholds)
        search_tell_spinning(x, state, step);
    state_free_with_tight(&x->game, state);
    return !withholds;
}

int search_tell_endless(struct explorer *x)
{
    struct ways_out out;
    uint32_t steps = x->later.on && !x->later.whole ? x->later.first_step : (uint32_t)x->step.n; /* others may not have been gone on from */
    int told = 0;

    if (!game_has_machines(&x->game) || x->step.n < 2)
        return 0;
    out = search_find_ways_out(x, true);
    for (uint32_t step = 1; step < steps && told == 0; step++)
        if (!out.is_end[step] && !out.edge[step])
            told = tell_endless_at(x, step);
    ways_out_release(&out);
    return told < 0 ? -1 : 0;
}
