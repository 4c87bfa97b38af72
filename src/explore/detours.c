#include "explore/detours.h"

#include "explore/search.h"

struct detours {
    struct explorer *explorer;
    struct sorted ahead;
    struct ways_out out;
    bool all;
    bool begun;
    VEC(uint32_t) way;  /* of the last one, if all are told: which edge of `ahead` was taken at each state */
    size_t next;        /* detour, if not */
    size_t longest;     /* of the ways that use them: so many decisions */
    uint64_t random;
    uint64_t left;      /* ways at random */
    uint64_t decided;   /* decisions on all ways */
};

struct detours *detours_new(struct explorer *x, uint64_t most)
{
    struct detours *detours = xcalloc(1, sizeof *detours);
    detours->explorer = x;
    if (x->step.n < 2 || !x->detour.n)
        return detours;
    detours->ahead = search_sort_edges(x, false);
    detours->out = search_find_ways_out(x, true);
    detours->all = tree_has_merged(&x->game.tree) && x->result.stood_for <= (double)most; /* else circles are not counted */
    detours->random = UINT64_C(0x9e3779b97f4a7c15);
    detours->left = detours->all || x->detour.n >= most ? 0 : most - x->detour.n;
    return detours;
}

void detours_free(struct detours *detours)
{
    if (detours->ahead.first)
        sorted_release(&detours->ahead);
    if (detours->out.edge)
        ways_out_release(&detours->out);
    vec_release(&detours->way);
    free(detours);
}

bool detours_are_all(const struct detours *detours)
{
    return detours->all || !detours->explorer->detour.n;
}

/* ---- going a way ---- */

/* An equal message may be another operation, on another way to the same state. */
static bool is_equal_message(const struct explorer *x, uint64_t choice, uint64_t other)
{
    const struct tree *tree = &x->game.tree;
    if (choice >= tree->op.n || other >= tree->op.n || !choice || !other)
        return false;
    const struct tree_op *a = &tree->op.at[choice], *b = &tree->op.at[other];
    return a->op->kind == OP_SEND && b->op->kind == OP_SEND && a->identity == b->identity &&
           tree->node.at[a->node].rank == tree->node.at[b->node].rank;
}

static const struct option *find_pick(const struct explorer *x, struct pick pick)
{
    const struct option *equal = NULL;
    for (size_t i = 0; i < x->menu.option.n; i++) {
        const struct option *option = &x->menu.option.at[i];
        if (option->op != pick.op)
            continue;
        if (option->choice == pick.choice)
            return option;
        if (!equal && option->recv && is_equal_message(x, option->choice, pick.choice))
            equal = option;
    }
    return equal;
}

/* How the run goes that makes the decisions in `path`; NULL: it cannot be gone. */
static const struct account *account_of_path(struct explorer *x)
{
    account_begin(x);
    x->game.tree.failed = false;
    struct state *state = state_begin(&x->game, x->options.slack);
    for (size_t i = 0; state && i < x->path.n; i++) {
        menu_fill(&x->menu, &x->game, state);
        const struct option *option = find_pick(x, x->path.at[i]);
        if (!option) {
            state_free_with_tight(&x->game, state);
            state = NULL;
            break;
        }
        vec_push(&x->decisions, account_decision(x, option->op, option->choice));
        if (search_take(x, state, option) < 0)
            state = NULL;
    }
    if (!state) {
        x->game.trails = NULL;
        return NULL;
    }
    account_end(x, state);
    state_free_with_tight(&x->game, state);
    return &x->account;
}

static void go_out(struct detours *detours, uint32_t state)
{
    struct explorer *x = detours->explorer;
    while (detours->out.edge[state]) {
        struct state_edge edge = search_edge(x, detours->out.edge[state]);
        vec_push(&x->path, edge.pick);
        state = edge.to;
    }
}

/* ---- all ways ---- */

static uint32_t edges_from(const struct detours *detours, uint32_t state)
{
    return detours->ahead.first[state + 1] - detours->ahead.first[state];
}

static uint32_t take_edge(struct detours *detours, uint32_t state, uint32_t which)
{
    struct explorer *x = detours->explorer;
    struct state_edge edge = search_edge(x, detours->ahead.index[detours->ahead.first[state] + which]);
    vec_push(&x->path, edge.pick);
    return edge.to;
}

/* The last state at which there is another edge; false: none. */
static bool turn_back(struct detours *detours)
{
    VEC(uint32_t) states = {0};
    bool turns = false;
    uint32_t state = 1;
    for (size_t i = 0; i < detours->way.n; i++) {
        vec_push(&states, state);
        state = search_edge(detours->explorer, detours->ahead.index[detours->ahead.first[state] + detours->way.at[i]]).to;
    }
    while (detours->way.n && !turns) {
        uint32_t *last = &vec_last(&detours->way);
        turns = ++*last < edges_from(detours, states.at[detours->way.n - 1]);
        detours->way.n -= !turns;
    }
    vec_release(&states);
    return turns;
}

static bool find_next_of_all(struct detours *detours)
{
    uint32_t state = 1;
    if (detours->begun && !turn_back(detours))
        return false;
    detours->begun = true;
    vec_clear(&detours->explorer->path);
    for (size_t i = 0; i < detours->way.n; i++)
        state = take_edge(detours, state, detours->way.at[i]);
    while (edges_from(detours, state)) {
        vec_push(&detours->way, 0);
        state = take_edge(detours, state, 0);
    }
    return true;
}

/* ---- some of them ---- */

static bool find_by_detour(struct detours *detours)
{
    struct explorer *x = detours->explorer;
    if (detours->next >= x->detour.n)
        return false;
    struct detour detour = x->detour.at[detours->next++];
    search_find_path(x, detour.from);
    vec_push(&x->path, detour.pick);
    go_out(detours, detour.to);
    if (x->path.n > detours->longest)
        detours->longest = x->path.n;
    return true;
}

static uint32_t draw_below(struct detours *detours, uint32_t n)
{
    detours->random ^= detours->random << 13;
    detours->random ^= detours->random >> 7;
    detours->random ^= detours->random << 17;
    return (uint32_t)(detours->random % n);
}

/* Who goes round leaves by the nearest way in the end. */
static bool find_at_random(struct detours *detours)
{
    uint32_t state = 1, n;
    size_t steps = 0;
    if (!detours->left)
        return false;
    detours->left--;
    vec_clear(&detours->explorer->path);
    while ((n = edges_from(detours, state)) && steps++ < detours->longest)
        state = take_edge(detours, state, draw_below(detours, n));
    go_out(detours, state);
    return true;
}

/* Work is counted, not timed, so that it is the same each time: some decisions for each state that the search has met. */
static bool is_worth_more(const struct detours *detours)
{
    enum { SHARE = 4, LEAST = 1 << 13 };
    return detours->ahead.first && detours->decided < SHARE * detours->explorer->step.n + LEAST;
}

const struct account *detours_next(struct detours *detours)
{
    const struct account *account = NULL;
    while (!account && is_worth_more(detours) &&
           (detours->all ? find_next_of_all(detours) : find_by_detour(detours) || find_at_random(detours))) {
        account = account_of_path(detours->explorer);
        detours->decided += detours->explorer->path.n + 1;
    }
    detours->all = detours->all && (account || is_worth_more(detours));
    return account;
}
