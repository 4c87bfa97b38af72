#include "explore/way_out.h"

#include "explore/menu.h"

/* A state on the way, and how many of its options were taken. */
struct way_stop {
    struct state *state; /* owns */
    size_t taken;
};

struct way_search {
    struct game *game;
    struct menu menu;
    VEC(struct way_stop) way;
    struct seen seen;
    bool found;
};

enum { MOST_STATES = 512 };

/* Takes the state. */
static void way_goes_to(struct way_search *search, struct state *state)
{
    if (!seen_add(&search->seen, state->key)) {
        state_free(search->game, state);
        return;
    }
    menu_fill(&search->menu, search->game, state);
    search->found = search->menu.option.n == 0 || seen_has(&search->game->leads_out, state->key);
    vec_push(&search->way, (struct way_stop){state, 0});
}

/* Takes the next option of the last state; if there is none, goes back. */
static void go_further(struct way_search *search)
{
    struct way_stop *last = &vec_last(&search->way);
    struct state *next;

    menu_fill(&search->menu, search->game, last->state);
    if (last->taken == search->menu.option.n) {
        state_free(search->game, vec_pop(&search->way).state);
        return;
    }
    next = state_clone(search->game, last->state);
    if (menu_take(search->game, next, &search->menu.option.at[last->taken++]) == 0)
        way_goes_to(search, next);
    else
        state_free(search->game, next);
}

/* From all states on the way that has led out. */
static void leave_way(struct way_search *search)
{
    while (search->way.n) {
        struct state *state = vec_pop(&search->way).state;

        if (search->found)
            seen_add(&search->game->leads_out, state->key);
        state_free(search->game, state);
    }
}

bool way_out_is_missing(struct game *game, const struct state *state)
{
    struct way_search search = {.game = game};
    struct trails *trails = game->trails;
    bool missing;

    game->trails = NULL;
    way_goes_to(&search, state_clone(game, state));
    while (search.way.n && !search.found && search.seen.n < MOST_STATES && !game->tree.failed)
        go_further(&search);
    missing = !search.way.n && !search.found && !game->tree.failed;
    game->unsure = game->unsure || (search.way.n && !search.found);
    leave_way(&search);
    game->trails = trails;
    vec_release(&search.way);
    seen_release(&search.seen);
    menu_release(&search.menu);
    return missing;
}
