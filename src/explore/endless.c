/*
 * endless -- states from which no run comes to its end.
 *
 * Who polls with MPI_Test or MPI_Iprobe is known to (spin.h).  Who spins on a window makes calls like any other; it is
 * known by the states: the search comes back to one that it was in.  That is no fault as long as something else can
 * happen there that lets it end.  When the search is over, states are left from which none of the ends can be reached: then
 * somebody spins for ever, whatever is decided.
 */
#include "explore/search.h"

/* Marks the states from which an end can be reached: all at once, backwards from these. */
static bool *find_ending(struct explorer *x)
{
    struct sorted behind = search_sort_edges(x, true);
    bool *ends = xcalloc(x->step.n, sizeof *ends);
    VEC(uint32_t) queue = {0};

    for (size_t i = 0; i < x->ended.n; i++) {
        ends[x->ended.at[i].step] = true;
        vec_push(&queue, x->ended.at[i].step);
    }
    for (size_t done = 0; done < queue.n; done++) {
        uint32_t s = queue.at[done];

        for (size_t i = behind.first[s]; i < behind.first[s + 1]; i++) {
            uint32_t from = search_edge(x, behind.index[i]).from;

            if (ends[from])
                continue;
            ends[from] = true;
            vec_push(&queue, from);
        }
    }
    vec_release(&queue);
    sorted_release(&behind);
    return ends;
}

int search_tell_endless(struct explorer *x)
{
    bool *ends;
    uint32_t step = 1;
    struct state *state;

    if (!x->game.windows.lessons.slots || x->step.n < 2)
        return 0;
    ends = find_ending(x);
    while (step < x->step.n && ends[step])
        step++;
    free(ends);
    if (step == x->step.n)
        return 0;
    state = search_reach(x, step);
    if (!state)
        return -1;
    search_tell_spinning(x, state, step);
    state_free_with_tight(&x->game, state);
    return 0;
}
