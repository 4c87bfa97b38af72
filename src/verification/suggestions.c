/*
 * suggestions -- what to try next when a search was cut short.
 *
 * To give it more time is said by itself (tourney resume).  What stands here makes the same time go further, and only what
 * does so in this case.
 */
#include <inttypes.h>
#include <string.h>

#include "verification/verification.h"
#include "base/mem.h"

static void suggest(struct verification *v, char *words)
{
    for (size_t i = 0; i < v->result.next.n; i++)
        if (strcmp(v->result.next.at[i], words) == 0) {
            free(words);
            return;
        }
    vec_push(&v->result.next, words);
}

/* A bound that was asked for, and what comes behind it. */
static void suggest_wider_bounds(struct verification *v, const struct explore_result *explored)
{
    if (explored->left & LEFT_LATE)
        suggest(v, xformat("--poll-bound %" PRId64 ", with which polls may say no once more",
                           v->options.arguments.poll_bound + 1));
    if (explored->left & LEFT_MIXING)
        suggest(v, xformat("--mix-bound %" PRId64 ", with which one more decision may differ",
                           v->options.arguments.mix_bound + 1));
}

static bool is_assumed(const struct result *result, const char *kind)
{
    for (size_t i = 0; i < result->assumptions.n; i++)
        if (strcmp(result->assumptions.at[i].kind, kind) == 0)
            return true;
    return false;
}

/* Ranks on nodes of their own have no memory outside of MPI that others can see, and can be copied. */
static void suggest_nodes(struct verification *v)
{
    bool shared = false;
    for (rank_t r = 0; !v->options.dist && r < v->run.ranks; r++)
        shared |= drive_uncopied(v->run.drive, r) == OBSTACLE_SHARED_MEMORY;
    if (shared && v->result.ranks > 1 && v->options.world.node_ranks != 1)
        suggest(v, xformat("--nodes=%dx1, with which every rank has a node, and its System V memory, for itself", v->result.ranks));
}

/* The search was stopped on the way. */
static void suggest_less_work(struct verification *v, const struct explore_result *explored)
{
    const struct completeness *complete = &explored->complete;
    bool bounded = v->options.arguments.given[OPTION_POLL_BOUND] || v->options.arguments.given[OPTION_MIX_BOUND];
    if (explore_has_late_polls(v->run.explorer) && !bounded && !(complete->some && complete->any_other))
        suggest(v, xstrdup("--poll-bound 0, with which polls say yes as soon as they can: every order of messages may be "
                           "looked at then"));
    if (!bounded && !complete->some && explored->steps)
        suggest(v, xstrdup("--mix-bound 0, with which every alternative is tried, but no two of them together"));
    suggest_nodes(v);
    if (is_assumed(&v->result, "merging") || is_assumed(&v->result, "copies"))
        suggest(v, xstrdup("without what keeps runs that come to the same from being merged, which is said below"));
    if (v->result.ranks > 2)
        suggest(v, xformat("fewer ranks, -n %d: most defects show with few", v->result.ranks > 5 ? 4 : v->result.ranks - 1));
}

/* It was stopped for it took too long, and not at once, to see what comes out. */
static bool was_long(const struct explore_result *explored)
{
    return explored->left & LEFT_TIME || (explored->left & (LEFT_RUNS | LEFT_RUNNER) && explored->strays);
}

void verification_suggest(struct verification *v, const struct explore_result *explored)
{
    if (v->refused || v->diverged || v->unseen || v->options.engine == ENGINE_PREDICT || v->options.arguments.sample)
        return;
    suggest_wider_bounds(v, explored);
    if (was_long(explored) && !(explored->left & LEFT_STOPPED))
        suggest_less_work(v, explored);
}
