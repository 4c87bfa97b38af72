#include "model/check.h"

#include "base/clock.h"
#include "base/hash.h"
#include "model/outcome.h"

/* A history that the search has asked for: where in the model it is. */
struct model_position {
    uint32_t node;
    uint32_t poll; /* of a round: which of its polls; 0: the first, behind what the node posts before it; the same alone comes last */
};

struct checker {
    const struct model *model;
    VEC(struct model_position) place; /* by node of the search */
    struct explorer *explorer;
    struct outcomes outcomes;
};

/* ---- the model as a program ---- */

static uint32_t call_at_poll(const struct model_node *node, uint32_t poll)
{
    return poll && poll <= node->polls ? node->first_poll + poll - 1 : node->first_op + node->count - 1;
}

/* The poll that follows one that was told no.  What the node posts is posted once, however often it goes round. */
static uint32_t poll_after_no(const struct model_node *node, uint32_t poll)
{
    uint32_t next = poll % (node->polls + 1) + 1;
    return next > node->polls && node->count == 1 ? 0 : next;
}

/* Where an answer leads; no node: it is not in the model. */
static struct model_position follow_answer(const struct model *model, struct model_position from, const struct ret *ret)
{
    const struct model_node *node = &model->node.at[from.node];
    struct map_key key = answer_key(0, ret);
    if (node->round && !ret->flag)
        return (struct model_position){from.node, poll_after_no(node, from.poll)};
    for (size_t i = 0; i < node->edge.n; i++) {
        struct map_key known = answer_key(0, node->edge.at[i].ret);
        if (node->edge.at[i].call == call_at_poll(node, from.poll) && map_key_is_same(known, key))
            return (struct model_position){node->edge.at[i].to, 0};
    }
    return (struct model_position){0};
}

static void tell_segment(const struct model *model, struct model_position at, struct segment *segment)
{
    const struct model_node *node = &model->node.at[at.node];
    uint32_t first = at.poll ? call_at_poll(node, at.poll) : node->first_op;
    *segment = (struct segment){.count = at.poll ? 1 : node->count,
                                .end = node->end,
                                .code = node->code,
                                .imaged = true,
                                .image = map_key2(at.node, at.poll + 1)};
    if (segment->count) {
        segment->ops = model->op.at[first].op;
        segment->contents = model->op.at[first].contents;
    }
}

static int run_model(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to, struct segment *segment)
{
    struct checker *c = data;
    struct model_position at =
        from ? follow_answer(c->model, c->place.at[from], ret) : (struct model_position){c->model->start[rank], 0};
    if (!at.node)
        return -1;
    while (c->place.n <= to)
        vec_push(&c->place, (struct model_position){0});
    c->place.at[to] = at;
    tell_segment(c->model, at, segment);
    return 0;
}

/* ---- how it ends ---- */

static struct model_stand checked_stand(void *data, node_id id, const struct op *call)
{
    const struct checker *c = data;
    struct model_stand stand = outcome_stand(c->explorer, id, call);
    const struct model_node *node = &c->model->node.at[c->place.at[id].node];
    stand.node = c->place.at[id].node;
    if (call && node->round)
        stand.op = node->count;
    return stand;
}

static enum visit note_checked_outcome(void *data, const struct run *run)
{
    struct checker *c = data;
    outcomes_add(&c->outcomes, run);
    return VISIT_GOOD;
}

struct check_result check_model(const struct model *model, bool reduced, uint64_t max_runs, double seconds)
{
    struct checker c = {.model = model, .outcomes = {.ranks = model->ranks, .stand = checked_stand}};
    struct runner runner = {.run = run_model, .data = &c};
    struct explore_options options = {.ranks = model->ranks,
                                      .slack = model->slack,
                                      .any_slack = model->any_slack,
                                      .every_slack_deadlock = true,
                                      .merge = true,
                                      .stepwise = !reduced,
                                      .max_runs = max_runs,
                                      .seconds = seconds};
    struct check_result result = {0};
    int64_t start = microseconds();
    c.outcomes.data = &c;
    c.explorer = explore_new(&runner, &options);
    struct explore_result explored = explore_run(c.explorer, note_checked_outcome, &c);
    result.states = explored.states;
    result.steps = explored.steps;
    result.left = explored.left;
    result.seconds = (double)(microseconds() - start) / 1e6;
    result.outcome = c.outcomes.at;
    map_release(&c.outcomes.known);
    explore_free(c.explorer);
    vec_release(&c.place);
    return result;
}
