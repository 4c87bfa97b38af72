#include "explore/outline.h"

#include "explore/search.h"

struct sketch {
    const struct explorer *x;
    struct sorted ahead; /* by state, what was decided there */
    bool *kept;          /* by edge */
    bool *ended_good, *ended_bad;     /* by state: a run ended there */
    bool *to_good, *to_bad, *to_open; /* by state: from there one comes to such an end, or to what was not tried */
    uint32_t *untried;   /* by state */
    uint32_t *index;     /* of the branch that stands for a state */
    struct outline outline;
};

/* One with flaws is not good. */
static void mark_ends(struct sketch *sketch)
{
    for (size_t i = 0; i < sketch->x->ended.n; i++) {
        const struct ended *ended = &sketch->x->ended.at[i];

        (ended->opinion == VISIT_GOOD ? sketch->ended_good : sketch->ended_bad)[ended->step] = true;
    }
}

static void count_untried(struct sketch *sketch)
{
    const struct explorer *x = sketch->x;

    for (size_t i = 0; i < x->frame.n; i++)
        sketch->untried[x->frame.at[i].step] += (uint32_t)(x->frame.at[i].until - x->frame.at[i].first);
    for (size_t i = 1; i < x->agenda.errand.n; i++)
        sketch->untried[x->agenda.errand.at[i].step] += x->agenda.errand.at[i].n;
}

static bool is_step_edge(const struct sketch *sketch, size_t edge)
{
    return edge < sketch->x->step.n;
}

/* A state that was expanded again was led from by the same decisions once more. */
static bool is_repeated_edge(const struct sketch *sketch, uint32_t state, size_t at)
{
    struct pick pick = search_edge(sketch->x, sketch->ahead.index[at]).pick;

    for (size_t i = sketch->ahead.first[state]; i < at; i++) {
        struct pick other = search_edge(sketch->x, sketch->ahead.index[i]).pick;

        if (other.op == pick.op && other.choice == pick.choice)
            return true;
    }
    return false;
}

static bool is_last(const struct sketch *sketch, uint32_t state)
{
    return sketch->ahead.first[state] == sketch->ahead.first[state + 1];
}

/* Marks all states from which one comes to a marked one. */
static void mark_before(const struct sketch *sketch, const struct sorted *behind, bool *marks)
{
    VEC(uint32_t) queue = {0};

    for (uint32_t s = 1; s < sketch->x->step.n; s++)
        if (marks[s])
            vec_push(&queue, s);
    while (queue.n) {
        uint32_t s = vec_pop(&queue);

        for (size_t i = behind->first[s]; i < behind->first[s + 1]; i++) {
            uint32_t from = search_edge(sketch->x, behind->index[i]).from;

            if (from && !marks[from]) {
                marks[from] = true;
                vec_push(&queue, from);
            }
        }
    }
    vec_release(&queue);
}

/* Where options were left out and nobody noted which, any state that goes on may have had some. */
static bool is_partial(const struct explorer *x)
{
    return x->result.left & ~(uint32_t)(LEFT_RUNS | LEFT_TIME | LEFT_STOPPED);
}

static void find_reachable_ends(struct sketch *sketch, const struct landmarks *landmarks)
{
    struct sorted behind = search_sort_edges(sketch->x, true);
    bool partial = is_partial(sketch->x);

    for (uint32_t s = 1; s < sketch->x->step.n; s++) {
        bool ended = sketch->ended_good[s] || sketch->ended_bad[s];

        sketch->to_good[s] = sketch->ended_good[s];
        sketch->to_bad[s] = sketch->ended_bad[s];
        sketch->to_open[s] = sketch->untried[s] || (!ended && (partial || is_last(sketch, s)));
    }
    for (size_t i = 0; i < landmarks->bad; i++)
        sketch->to_bad[landmarks->bad_step[i]] = true;
    mark_before(sketch, &behind, sketch->to_good);
    mark_before(sketch, &behind, sketch->to_bad);
    mark_before(sketch, &behind, sketch->to_open);
    sorted_release(&behind);
}

/* ---- what is told ---- */

static void keep_wanted(struct sketch *sketch, const uint32_t *wanted, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (uint32_t s = wanted[i]; s > 1 && !sketch->kept[s]; s = sketch->x->step.at[s].from)
            sketch->kept[s] = true;
}

/* Level by level; an edge to a state that is told already is kept last, when that is known. */
static void keep_nearest(struct sketch *sketch, size_t most)
{
    const struct explorer *x = sketch->x;
    VEC(uint32_t) queue = {0};
    size_t kept = 0;

    vec_push(&queue, 1);
    for (size_t done = 0; done < queue.n; done++) {
        uint32_t s = queue.at[done];

        for (size_t i = sketch->ahead.first[s]; i < sketch->ahead.first[s + 1]; i++) {
            size_t edge = sketch->ahead.index[i];

            if (!is_step_edge(sketch, edge))
                continue;
            if (!sketch->kept[edge] && kept < most) {
                sketch->kept[edge] = true;
                kept++;
            }
            if (sketch->kept[edge])
                vec_push(&queue, (uint32_t)edge);
        }
    }
    for (size_t i = x->step.n; i < x->step.n + x->detour.n && kept < most; i++) {
        struct state_edge edge = search_edge(x, i);
        bool from = edge.from == 1 || sketch->kept[edge.from], to = edge.to == 1 || sketch->kept[edge.to];

        sketch->kept[i] = from && to;
        kept += from && to;
    }
    vec_release(&queue);
}

/* ---- telling it ---- */

static enum branch_end branch_end_of(const struct sketch *sketch, uint32_t state)
{
    if (sketch->ended_bad[state])
        return BRANCH_BAD;
    if (sketch->ended_good[state])
        return BRANCH_GOOD;
    return is_last(sketch, state) ? BRANCH_OPEN : BRANCH_GOES_ON;
}

static void add_branch(struct sketch *sketch, size_t at, uint32_t parent)
{
    const struct explorer *x = sketch->x;
    struct state_edge edge = search_edge(x, at);
    struct branch branch = {.parent = parent,
                            .step = edge.to,
                            .same = is_step_edge(sketch, at) ? BRANCH_NONE : edge.to,
                            .to_good = sketch->to_good[edge.to],
                            .to_bad = sketch->to_bad[edge.to],
                            .to_open = sketch->to_open[edge.to]};
    rank_t rank;

    if (parent != BRANCH_NONE) {
        branch.decision = decision_without_names(x, edge.pick.op, edge.pick.choice);
        branch.op = explore_op(x, edge.pick.op, &rank);
        if (branch.decision.kind == DECIDED_MATCH || branch.decision.kind == DECIDED_SEEN)
            branch.message = explore_op(x, (uint32_t)edge.pick.choice, &rank);
    }
    if (is_step_edge(sketch, at)) {
        branch.end = branch_end_of(sketch, edge.to);
        branch.untried = sketch->untried[edge.to];
        sketch->index[edge.to] = (uint32_t)sketch->outline.branch.n;
    }
    vec_push(&sketch->outline.branch, branch);
}

/* A state whose branches are being told, and how far that is. */
struct walk_frame {
    uint32_t state, branch;
    size_t next;
};

static void tell_branches(struct sketch *sketch)
{
    VEC(struct walk_frame) stack = {0};

    add_branch(sketch, 1, BRANCH_NONE);
    vec_push(&stack, (struct walk_frame){1, 0, sketch->ahead.first[1]});
    while (stack.n) {
        struct walk_frame *frame = &vec_last(&stack);
        size_t at = frame->next++, edge;

        if (at == sketch->ahead.first[frame->state + 1]) {
            stack.n--;
            continue;
        }
        edge = sketch->ahead.index[at];
        if (is_repeated_edge(sketch, frame->state, at))
            continue;
        if (!sketch->kept[edge]) {
            sketch->outline.branch.at[frame->branch].left_out++;
            continue;
        }
        add_branch(sketch, edge, frame->branch);
        if (is_step_edge(sketch, edge))
            vec_push(&stack, (struct walk_frame){(uint32_t)edge, (uint32_t)sketch->outline.branch.n - 1,
                                                 sketch->ahead.first[edge]});
    }
    vec_release(&stack);
}

static void count_all(struct sketch *sketch)
{
    for (uint32_t s = 1; s < sketch->x->step.n; s++)
        for (size_t i = sketch->ahead.first[s]; i < sketch->ahead.first[s + 1]; i++)
            sketch->outline.all += !is_repeated_edge(sketch, s, i);
}

static void resolve_same(struct sketch *sketch)
{
    for (size_t i = 0; i < sketch->outline.branch.n; i++) {
        struct branch *branch = &sketch->outline.branch.at[i];

        if (branch->same != BRANCH_NONE)
            branch->same = sketch->index[branch->same];
    }
}

static void begin_sketch(struct sketch *sketch)
{
    size_t states = sketch->x->step.n;

    sketch->ahead = search_sort_edges(sketch->x, false);
    sketch->kept = xcalloc(states + sketch->x->detour.n, sizeof *sketch->kept);
    sketch->ended_good = xcalloc(states, sizeof *sketch->ended_good);
    sketch->ended_bad = xcalloc(states, sizeof *sketch->ended_bad);
    sketch->to_good = xcalloc(states, sizeof *sketch->to_good);
    sketch->to_bad = xcalloc(states, sizeof *sketch->to_bad);
    sketch->to_open = xcalloc(states, sizeof *sketch->to_open);
    sketch->untried = xcalloc(states, sizeof *sketch->untried);
    sketch->index = xcalloc(states, sizeof *sketch->index);
    mark_ends(sketch);
    count_untried(sketch);
}

static void end_sketch(struct sketch *sketch)
{
    sorted_release(&sketch->ahead);
    free(sketch->kept);
    free(sketch->ended_good);
    free(sketch->ended_bad);
    free(sketch->to_good);
    free(sketch->to_bad);
    free(sketch->to_open);
    free(sketch->untried);
    free(sketch->index);
}

struct outline explore_outline(const struct explorer *x, const struct landmarks *landmarks, size_t most)
{
    struct sketch sketch = {.x = x};

    if (x->step.n < 2)
        return sketch.outline;
    begin_sketch(&sketch);
    find_reachable_ends(&sketch, landmarks);
    keep_wanted(&sketch, landmarks->wanted_step, landmarks->wanted);
    keep_nearest(&sketch, most);
    tell_branches(&sketch);
    resolve_same(&sketch);
    count_all(&sketch);
    end_sketch(&sketch);
    return sketch.outline;
}

void outline_release(struct outline *outline)
{
    vec_release(&outline->branch);
}
