/*
 * endless -- states from which no run comes to its end.
 *
 * Who polls with MPI_Test or MPI_Iprobe is known to (spin.h).  Who spins on a window makes calls like any other; it is
 * known by the states: the search comes back to one that it was in.  That is no fault as long as something else can
 * happen there that lets it end.  When the search is over, states are left from which none of the ends can be reached: then
 * somebody spins for ever, whatever is decided.
 */
#include "explore/search.h"

int search_tell_endless(struct explorer *x)
{
    struct ways_out out;
    uint32_t step = 1;
    struct state *state;

    if (!game_has_machines(&x->game) || x->step.n < 2)
        return 0;
    out = search_find_ways_out(x, true);
    while (step < x->step.n && (out.is_end[step] || out.edge[step]))
        step++;
    ways_out_release(&out);
    if (step == x->step.n)
        return 0;
    state = search_reach(x, step);
    if (!state)
        return -1;
    search_tell_spinning(x, state, step);
    state_free_with_tight(&x->game, state);
    return 0;
}
