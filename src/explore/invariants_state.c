/*
 * invariants_state -- where ranks stand agrees with their trees and with the semantics.
 */
#include "explore/invariants.h"
#include "explore/state.h"
#include "sem/invariants.h"

static void tell_nobody(void *data, const struct sem_need *need)
{
    (void)data;
    (void)need;
}

static bool rank_waits(const struct state *state, rank_t r)
{
    return sem_needs(state->sem, r, tell_nobody, NULL) >= 0;
}

static void check_mode(const struct game *game, const struct state *state, rank_t r)
{
    const struct player *p = &state->player[r];
    const struct node *node = &game->tree.node.at[p->node];
    bool at_end = p->posted + 1 == node->count && node->end == SEGMENT_CALL, fits = true;

    switch ((enum player_mode)p->mode) {
    case PLAYER_WAITS:
        fits = at_end && rank_waits(state, r) && !p->spins;
        break;
    case PLAYER_POLLS:
        fits = at_end && !rank_waits(state, r) && (!p->spins || spin_known_head(&game->tree, p->node) == p->node);
        break;
    case PLAYER_CANCELS:
    case PLAYER_STEPS:
        fits = p->posted < node->count && !rank_waits(state, r) && !p->spins;
        break;
    case PLAYER_PASSES:
        fits = p->posted < node->count && rank_waits(state, r) && !p->spins &&
               (game->stepwise || !sem_is_ready(state->sem, r));
        break;
    case PLAYER_OVER:
        fits = node->end != SEGMENT_CALL && !rank_waits(state, r) && !p->spins;
        break;
    }
    INVARIANT(fits, "rank %d is in mode %u at operation %u of %u of node %u, which does not fit", r, p->mode, p->posted,
              node->count, p->node);
}

/* D1, D5. */
static void check_request(const struct state *state, rank_t r, uint32_t number)
{
    const struct live_request *request = &state->player[r].request.at[number];
    struct sem_view view = sem_view(state->sem, request->id);

    INVARIANT(view.owner == r && !view.retired, "request %u of rank %d is not its own, or over", number, r);
    INVARIANT(!request->cancelled || (view.complete && !view.matched && !request->escaped),
              "request %u of rank %d was cancelled, and matched", number, r);
    INVARIANT(!request->escaped || (view.kind == SEM_SEND && view.complete), "request %u of rank %d escaped unsent",
              number, r);
    INVARIANT(!request->freed || (view.kind == SEM_RECV && view.peer != RANK_ANY),
              "request %u of rank %d was freed, and is no receive that names its source", number, r);
}

/* Every operation that is not over is a request's, or what its rank waits for: how many. */
static uint32_t check_live_requests(const struct state *state, rank_t r)
{
    const struct player *p = &state->player[r];
    uint32_t n = 0;

    for (uint32_t i = 1; i < p->request.n; i++) {
        if (!p->request.at[i].id)
            continue;
        check_request(state, r, i);
        n++;
    }
    return n + (p->mode == PLAYER_PASSES && p->passes);
}

void state_check_invariants(const struct game *game, const struct state *state)
{
    uint32_t held = 0;

    sem_check_invariants(state->sem);
    for (rank_t r = 0; r < game->ranks; r++) {
        node_id node = state->player[r].node;

        INVARIANT(node && node < game->tree.node.n && game->tree.node.at[node].rank == r &&
                      !game->tree.node.at[node].same,
                  "rank %d is at node %u, which is not its own", r, node);
        held += check_live_requests(state, r);
        if (state->clash == RANK_NONE && !game->learned) /* else the search begins anew, and ranks stopped where they had something to teach */
            check_mode(game, state, r);
    }
    INVARIANT((state->clash == RANK_NONE) == (state->other == RANK_NONE), "one rank disagrees with nobody");
    INVARIANT(state->clash != RANK_NONE || held == sem_unretired(state->sem),
              "%u operations are known to their ranks, of %u that are not over", held, sem_unretired(state->sem));
}

void state_check_key(const struct game *game, const struct state *state)
{
    struct map_key key = state_key(game, state);

    state_check_invariants(game, state);
    INVARIANT(game->unkeyed || map_key_is_same(key, state->key), "a state has changed since it came to rest");
}
