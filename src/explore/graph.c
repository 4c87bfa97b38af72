/*
 * graph -- the states that were visited, and how they hang together.
 *
 * Every state but the first was first reached by a step; detours are the other
 * edges.  Made when it is asked for, after the search.
 */
#include <math.h>
#include <string.h>

#include "explore/search.h"

struct state_edge search_edge(const struct explorer *x, size_t i)
{
    bulk_pass();
    if (i < x->step.n)
        return (struct state_edge){x->step.at[i].from, (uint32_t)i, x->step.at[i].pick};
    i -= x->step.n;
    return (struct state_edge){x->detour.at[i].from, x->detour.at[i].to, x->detour.at[i].pick};
}

static size_t count_edges(const struct explorer *x)
{
    return x->step.n + x->detour.n;
}

struct sorted search_sort_edges(const struct explorer *x, bool by_end)
{
    size_t n = count_edges(x), states = x->step.n;
    uint32_t *next;
    struct sorted sorted = {xcalloc(states + 1, sizeof *sorted.first), xcalloc(n, sizeof *sorted.index)};

    for (size_t i = 1; i < n; i++)
        sorted.first[(by_end ? search_edge(x, i).to : search_edge(x, i).from) + 1]++;
    for (size_t s = 0; s < states; s++)
        sorted.first[s + 1] += sorted.first[s];
    next = xmemdup(sorted.first, states + 1, sizeof *next);
    for (size_t i = 1; i < n; i++)
        sorted.index[next[by_end ? search_edge(x, i).to : search_edge(x, i).from]++] = (uint32_t)i;
    free(next);
    return sorted;
}

void sorted_release(struct sorted *sorted)
{
    free(sorted->first);
    free(sorted->index);
}

/* ---- how many runs ---- */

enum { NOT_YET = -1, ON_THE_WAY = -2 };

/*
 * Whether an earlier edge is the same decision.  What becomes known of slack on the way may let go of a tight state: then a decision that
 * was made before leads to another state than it did, from which there are the same runs.
 */
static bool is_made_by_earlier_edge(const struct explorer *x, const struct sorted *ahead, uint32_t s, size_t i)
{
    struct pick pick = search_edge(x, ahead->index[i]).pick;

    for (size_t k = ahead->first[s]; k < i; k++) {
        struct pick earlier = search_edge(x, ahead->index[k]).pick;

        if (earlier.op == pick.op && earlier.choice == pick.choice)
            return true;
    }
    return false;
}

/* The ways to an end from a state all of whose followers are known, but those above it: a circle. */
static double sum_paths(const struct explorer *x, const struct sorted *ahead, const double *paths, uint32_t s)
{
    double sum = ahead->first[s] == ahead->first[s + 1];

    for (size_t i = ahead->first[s]; i < ahead->first[s + 1]; i++) {
        double more = paths[search_edge(x, ahead->index[i]).to];

        if (!is_made_by_earlier_edge(x, ahead, s, i))
            sum += more == ON_THE_WAY ? HUGE_VAL : more;
    }
    return sum;
}

static double count_paths(const struct explorer *x, const struct sorted *ahead)
{
    double *paths = xcalloc(x->step.n, sizeof *paths), all;
    uint32_t *next = xmemdup(ahead->first, x->step.n, sizeof *next);
    VEC(uint32_t) stack = {0};

    for (size_t s = 1; s < x->step.n; s++)
        paths[s] = NOT_YET;
    vec_push(&stack, 1);
    while (stack.n) {
        uint32_t s = vec_last(&stack);

        paths[s] = ON_THE_WAY;
        while (next[s] < ahead->first[s + 1] && paths[search_edge(x, ahead->index[next[s]]).to] != NOT_YET)
            next[s]++;
        if (next[s] < ahead->first[s + 1]) {
            vec_push(&stack, search_edge(x, ahead->index[next[s]]).to);
            continue;
        }
        paths[s] = sum_paths(x, ahead, paths, s);
        stack.n--;
    }
    all = paths[1];
    vec_release(&stack);
    free(paths);
    free(next);
    return all;
}

void search_count(struct explorer *x)
{
    struct sorted ahead;

    x->result.stood_for = (double)x->result.runs;
    if (!tree_has_merged(&x->game.tree) || x->options.samples || x->step.n < 2)
        return;
    ahead = search_sort_edges(x, false);
    x->result.stood_for = count_paths(x, &ahead);
    x->result.at_most = x->result.whole || x->result.again;
    sorted_release(&ahead);
}

/* ---- where it could still have ended well ---- */

static bool is_aimed_at(const struct explorer *x, uint32_t opinion)
{
    return x->aim ? opinion < x->aims && x->aim[opinion] : opinion == VISIT_GOOD;
}

void explore_aim_at(struct explorer *x, const bool *good, size_t opinions)
{
    free(x->aim);
    ways_out_release(&x->good);
    x->aim = xmemdup(good, opinions, sizeof *good);
    x->aims = opinions;
}

/* All at once, backwards from the ends. */
struct ways_out search_find_ways_out(const struct explorer *x, bool to_any_end)
{
    struct sorted behind = search_sort_edges(x, true);
    struct ways_out out = {xcalloc(x->step.n, sizeof *out.edge), xcalloc(x->step.n, sizeof *out.is_end)};
    VEC(uint32_t) queue = {0};

    for (size_t i = 0; i < x->ended.n; i++) {
        if (!to_any_end && !is_aimed_at(x, x->ended.at[i].opinion))
            continue;
        out.is_end[x->ended.at[i].step] = true;
        vec_push(&queue, x->ended.at[i].step);
    }
    for (size_t done = 0; done < queue.n; done++) {
        uint32_t s = queue.at[done];

        for (size_t i = behind.first[s]; i < behind.first[s + 1]; i++) {
            uint32_t from = search_edge(x, behind.index[i]).from;

            if (!from || out.is_end[from] || out.edge[from])
                continue;
            out.edge[from] = behind.index[i];
            vec_push(&queue, from);
        }
    }
    vec_release(&queue);
    sorted_release(&behind);
    return out;
}

void ways_out_release(struct ways_out *out)
{
    free(out->edge);
    free(out->is_end);
    *out = (struct ways_out){0};
}

static bool op_is_same_to_rank(const struct explorer *x, uint64_t a, uint64_t b)
{
    const struct tree *tree = &x->game.tree;
    const struct tree_op *first = &tree->op.at[a], *second = &tree->op.at[b];

    return a == b || (tree->node.at[first->node].rank == tree->node.at[second->node].rank &&
                      first->identity == second->identity);
}

/* What a pick is in a state to which merged histories led, in whose menu it has another number; NULL: nothing. */
static const struct option *find_alike_option(const struct explorer *x, struct pick pick)
{
    for (size_t i = 0; i < x->menu.option.n; i++) {
        const struct option *option = &x->menu.option.at[i];
        const struct op *op = x->game.tree.op.at[option->op].op;
        bool names_message = pick.choice != ANSWER_NO && option->choice != ANSWER_NO && (option->recv || is_probe(op));

        if (!op_is_same_to_rank(x, option->op, pick.op))
            continue;
        if (names_message ? op_is_same_to_rank(x, option->choice, pick.choice) : option->choice == pick.choice)
            return option;
    }
    return NULL;
}

/*
 * Operations that are pending have the numbers of the histories in which they were posted, and edges are told by those of the ways on which they
 * were found (stray.c, go_home).  Where histories were merged, a path over such edges is told by the numbers that are met on it.  False: it cannot be gone.
 */
static bool name_path_as_met(struct explorer *x)
{
    struct state *state;
    bool met = true;

    if (!tree_has_merged(&x->game.tree))
        return true;
    x->game.tree.failed = false;
    state = state_begin(&x->game, x->options.slack);
    for (size_t i = 0; state && met && i < x->path.n; i++) {
        const struct option *option;

        menu_fill(&x->menu, &x->game, state);
        option = find_alike_option(x, x->path.at[i]);
        met = option != NULL;
        if (!met)
            break;
        x->path.at[i] = option_pick(option);
        if (search_take(x, state, option) < 0)
            state = NULL;
    }
    met = met && state;
    if (state)
        state_free_with_tight(&x->game, state);
    return met;
}

bool explore_turning(struct explorer *x, uint32_t step, struct turning *turning)
{
    if (!x->good.edge)
        x->good = search_find_ways_out(x, false);
    while (step && !x->good.edge[step])
        step = x->step.at[step].from;
    if (!step)
        return false;
    search_find_path(x, step);
    turning->critical = x->path.n;
    while (x->good.edge[step]) {
        struct state_edge edge = search_edge(x, x->good.edge[step]);

        vec_push(&x->path, edge.pick);
        step = edge.to;
    }
    if (!name_path_as_met(x))
        return false;
    account_for_path(x);
    turning->instead = &x->account;
    return true;
}
