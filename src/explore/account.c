/*
 * account -- what happened on a run: its decisions, and what each rank did.
 *
 * The search remembers of a run only which options it took.  To tell more, the
 * path is gone once more, in memory, and the trails are written down.
 */
#include "explore/search.h"

#include "base/die.h"
#include "explore/spin.h"

struct history explore_history(const struct explorer *x, node_id id)
{
    const struct node *node = &x->game.tree.node.at[id];

    bulk_pass();
    return (struct history){node->rank, node->ops, node->count, node->contents, node->end,
                            node->code, node->ret, node->started, node->finished};
}

uint64_t explore_flow(const struct explorer *x, node_id id)
{
    return x->game.tree.node.at[id].flow;
}

node_id explore_nodes(const struct explorer *x)
{
    return (node_id)x->game.tree.node.n - 1;
}

struct passage explore_passage(const struct explorer *x, node_id id)
{
    const struct node *node = &x->game.tree.node.at[id];

    bulk_pass();
    return (struct passage){node->parent, node->same ? node->same : id, node->ret};
}

node_id explore_round(const struct explorer *x, node_id id, uint32_t *period)
{
    node_id head = spin_known_head(&x->game.tree, id);

    if (spin_exit(&x->game.tree, head))
        head = NODE_NONE;
    *period = x->game.tree.node.at[head].period;
    return head;
}

bool explore_next_polled(const struct explorer *x, node_id behind, struct polled *polled)
{
    const struct tree *tree = &x->game.tree;

    for (node_id id = behind + 1; tree->polls_ahead.n && id < tree->node.n; id++) {
        const struct node *node = &tree->node.at[id];

        if (node->head != id || !node->polls_ahead)
            continue;
        const struct polls_ahead *ahead = &tree->polls_ahead.at[node->polls_ahead - 1];
        bool is_over = spin_exit(tree, id);
        *polled = (struct polled){id, node_call(tree, id), ahead->noes, is_over && !ahead->settles, is_over && ahead->settles,
                                  ahead->states, ahead->tried, x->later.whole};
        return true;
    }
    return false;
}

const struct op *explore_op(const struct explorer *x, uint32_t user, rank_t *rank)
{
    const struct tree_op *op = &x->game.tree.op.at[user];

    *rank = x->game.tree.node.at[op->node].rank;
    return op->op;
}

bool explore_has_ready_sends(const struct explorer *x)
{
    return x->game.tree.ready;
}

bool explore_has_dynamic_processes(const struct explorer *x)
{
    return x->game.tree.dynamic;
}

bool explore_has_tenures(const struct explorer *x)
{
    const struct tree *tree = &x->game.tree;

    return tree->unchecked || (tree->exposed && tree->locks);
}

bool explore_has_windows(const struct explorer *x)
{
    return x->game.tree.windows;
}

bool explore_has_file_accesses(const struct explorer *x)
{
    return x->game.tree.files;
}

int explore_players(const struct explorer *x)
{
    return x->game.ranks;
}

uint64_t explore_slack_of(const struct explorer *x)
{
    return x->options.slack;
}

bool explore_has_unstarted_requests(const struct explorer *x)
{
    return x->game.tree.unstarted;
}

bool explore_has_overfull_buffers(const struct explorer *x)
{
    return x->game.tree.overfull;
}

const struct op *explore_type(const struct explorer *x, uint64_t signature)
{
    return tree_find_type((void *)&x->game.tree, signature);
}

size_t explore_complaints(const struct explorer *x)
{
    return x->game.tree.complaints.n;
}

const struct op *explore_complaint(const struct explorer *x, size_t i, rank_t *rank)
{
    return explore_op(x, x->game.tree.complaints.at[i], rank);
}

const struct op *explore_nth_op(const struct explorer *x, const struct trail *trail, uint32_t number)
{
    size_t at = segment_of_number(trail->until, trail->n, number);

    if (at == trail->n)
        return NULL;
    number -= at ? trail->until[at - 1] : 0;
    return x->game.tree.op.at[x->game.tree.node.at[trail->node[at]].first_op + number].op;
}

const struct op *explore_naming(struct explorer *x, rank_t r, enum op_kind kind, uint64_t number)
{
    return naming_find(&x->naming, &x->game.tree, x->trail, x->game.ranks, r, kind, number);
}

static struct history told_history(const void *data, node_id node)
{
    return explore_history(data, node);
}

static const char *told_context_name(void *data, rank_t r, context_t context)
{
    const struct op *naming = explore_naming(data, r, OP_CONTEXT_NAME, context);
    return naming ? op_tail(naming) : NULL;
}

struct told_run explore_told_run(struct explorer *x, const struct account *account)
{
    return (struct told_run){.account = account,
                             .windows = true,
                             .files = true,
                             .ranks = x->game.keepers,
                             .players = x->game.ranks,
                             .history = told_history,
                             .context_name = told_context_name,
                             .data = x};
}

static uint32_t name_op(struct explorer *x, uint32_t user, rank_t *rank)
{
    explore_op(x, user, rank);
    return trails_number(&x->trails, &x->game.tree, user);
}

struct decision decision_without_names(const struct explorer *x, uint32_t user, uint64_t choice)
{
    struct decision d = {.source = RANK_NONE};
    const struct op *op = explore_op(x, user, &d.rank);

    if (op->kind == OP_CANCEL) {
        d.kind = DECIDED_CANCEL;
        d.set = choice & 1;
        explore_op(x, (uint32_t)(choice >> 1), &d.source);
    } else if (op_chooses(op)) {
        d.kind = DECIDED_CHOICE;
        d.set = UINT64_C(1) << (choice - 1);
    } else if (choice == ANSWER_NO) {
        d.kind = DECIDED_NO;
    } else if (op->kind == OP_RECV || is_probe(op)) {
        d.kind = op->kind == OP_RECV ? DECIDED_MATCH : DECIDED_SEEN;
        explore_op(x, (uint32_t)choice, &d.source);
    } else {
        d.kind = DECIDED_SOME;
        d.set = op->flags & OPF_SOME  ? choice
                : op->flags & OPF_ANY ? (choice <= 64 ? UINT64_C(1) << (choice - 1) : 0)
                                      : UINT64_MAX;
    }
    return d;
}

struct decision account_decision(struct explorer *x, uint32_t user, uint64_t choice)
{
    struct decision d = decision_without_names(x, user, choice);

    d.op = name_op(x, user, &d.rank);
    if (d.kind == DECIDED_CANCEL)
        d.message = name_op(x, (uint32_t)(choice >> 1), &d.source);
    else if (d.kind == DECIDED_MATCH || d.kind == DECIDED_SEEN)
        d.message = name_op(x, (uint32_t)choice, &d.source);
    return d;
}

struct decision account_silent_decision(struct explorer *x, uint32_t user, uint64_t choice)
{
    struct decision d = account_decision(x, user, choice);

    d.op = trails_silent_number(&x->trails, &x->game.tree, user);
    if (d.source != RANK_NONE)
        d.message = trails_silent_number(&x->trails, &x->game.tree, (uint32_t)(d.kind == DECIDED_CANCEL ? choice >> 1 : choice));
    return d;
}

struct decision explore_silent_decision(const struct explorer *x, struct decision d)
{
    d.op = trails_silence(&x->trails, &x->game.tree, d.rank, d.op);
    if (d.source != RANK_NONE)
        d.message = trails_silence(&x->trails, &x->game.tree, d.source, d.message);
    return d;
}

void account_note_leap(struct explorer *x, struct pick pick)
{
    if (pick.leaps)
        vec_last(&x->decisions).noes = tree_leap(&x->game.tree, x->game.tree.op.at[pick.op].node);
}

void account_begin(struct explorer *x)
{
    trails_clear(&x->trails);
    vec_clear(&x->decisions);
    vec_clear(&x->buffered);
    vec_clear(&x->unbuffered);
    x->game.trails = &x->trails;
}

void account_end(struct explorer *x, const struct state *state)
{
    x->game.trails = NULL;
    for (rank_t r = 0; r < x->game.ranks; r++) {
        const struct player *p = &state->player[r];
        bool whole = p->mode == PLAYER_OVER;

        x->trail[r] = (struct trail){x->trails.at[r].n, x->trails.at[r].at, x->trails.ret[r].at,
                                     whole ? x->game.tree.node.at[p->node].count : p->posted + 1,
                                     x->trails.until[r].at};
    }
    naming_clear(&x->naming);
    x->account = (struct account){.decisions = x->decisions.n,
                                  .decision = x->decisions.at,
                                  .trail = x->trail,
                                  .places = x->game.places.n,
                                  .place = x->game.places.at,
                                  .buffered = x->buffered.n,
                                  .buffered_op = x->buffered.at,
                                  .unbuffered = x->unbuffered.n,
                                  .unbuffered_op = x->unbuffered.at,
                                  .pairings = x->trails.pairing.n,
                                  .pairing = x->trails.pairing.at,
                                  .window_pairings = x->trails.window_pairing.n,
                                  .window_pairing = x->trails.window_pairing.at};
}

void account_for_path(struct explorer *x)
{
    struct state *state;

    account_begin(x);
    x->game.tree.failed = false; /* if it did since: nothing new is asked for on a path that was gone */
    state = state_begin(&x->game, x->options.slack);
    for (size_t i = 0; state && i < x->path.n; i++) {
        vec_push(&x->decisions, account_decision(x, x->path.at[i].op, x->path.at[i].choice));
        if (search_take_pick(x, state, x->path.at[i]) < 0)
            state = NULL;
    }
    if (!state)
        BUG("what was run once must be run again");
    account_end(x, state);
    state_free_with_tight(&x->game, state);
}

/* By the names that operations have in the run that is held up: with windows, those of its keepers are others (counterpart.h). */
static void note_paid(void *explorer, const struct option *option)
{
    struct explorer *x = explorer;

    vec_push(&x->decisions, account_decision(x, option->op, option->choice));
}

/* The point at which the run is held up, once more, with trails and the decisions that were made. */
static struct tight *reach_slack_deadlock(struct explorer *x, const struct tight *held)
{
    struct tight *tight;
    bool failed;

    account_begin(x);
    tight = tight_begin(&x->game, SLACK_TIGHT);
    failed = !tight;
    if (tight) {
        tight->paid = note_paid;
        tight->payer = x;
    }
    for (size_t i = 0; !failed && i < x->path.n; i++)
        failed = tight_follow(&x->game, &x->menu, tight, x->path.at[i]) < 0;
    failed = failed || tight_end(&x->game, &x->menu, tight) < 0;
    for (size_t i = 0; !failed && i < held->loosened.n; i++) {
        rank_t r;
        uint32_t number;

        explore_op(x, held->loosened.at[i], &r);
        number = trails_number(&x->trails, &x->game.tree, held->loosened.at[i]);
        vec_push(&x->buffered, (struct op_name){r, number});
        failed = tight_loosen(&x->game, &x->menu, tight, held->loosened.at[i]) < 0;
    }
    if (failed)
        BUG("what was run once must be run again");
    return tight;
}

static void name_holders(struct explorer *x, const struct tight *held)
{
    users_t users = {0};

    x->game.trails = NULL;
    if (slack_deadlock_cause(&x->game, &x->menu, held, &users) < 0)
        BUG("what was run once must be run again");
    for (size_t i = 0; i < users.n; i++) {
        struct op_name name;

        name.op = name_op(x, users.at[i], &name.rank);
        vec_push(&x->unbuffered, name);
    }
    vec_release(&users);
}

/* What must be buffered for it to come to this. */
static void name_slack(struct explorer *x)
{
    enum { MOST = 64 };
    users_t users = {0};

    if (slack_needed(&x->game, &x->menu, x->path.at, x->path.n, MOST, &users) < 0)
        BUG("what was run once must be run again");
    for (size_t i = 0; i < users.n; i++) {
        struct op_name name;

        name.op = name_op(x, users.at[i], &name.rank);
        vec_push(&x->buffered, name);
    }
    x->account.buffered = x->buffered.n;
    x->account.buffered_op = x->buffered.at;
    vec_release(&users);
}

const struct account *explore_account(struct explorer *x, const struct run *run)
{
    struct tight *held;

    if (!run->step)
        return &x->account; /* of a replay: written down on the way */
    search_find_path(x, run->step);
    if (!run->less_slack) {
        account_for_path(x);
        if (x->options.any_slack && run->end != RUN_CLEAN)
            name_slack(x);
        return &x->account;
    }
    held = reach_slack_deadlock(x, run->less_slack);
    name_holders(x, held);
    account_end(x, held->state);
    tight_free(&x->game, held);
    return &x->account;
}

const struct account *explore_step_account(struct explorer *x, uint32_t step)
{
    if (!step || step >= x->step.n)
        return NULL;
    search_find_path(x, step);
    account_for_path(x);
    return &x->account;
}

/* ---- disputes ---- */

size_t explore_disputes(const struct explorer *x, const struct dispute **at)
{
    *at = x->game.disputes.at.at;
    return x->game.disputes.at.n;
}

void explore_settle_disputes(struct explorer *x, const struct run *run)
{
    if (!run->step)
        return;
    for (size_t i = 0; i < x->game.disputes.at.n; i++)
        x->game.disputes.at.at[i].made = false;
    explore_account(x, run);
}

const struct account *explore_first_account(struct explorer *x)
{
    vec_clear(&x->path);
    account_for_path(x);
    return &x->account;
}

const struct account *explore_good_account(struct explorer *x, size_t i)
{
    for (size_t k = 0; k < x->ended.n; k++) {
        if (x->ended.at[k].opinion != VISIT_GOOD || i-- > 0)
            continue;
        search_find_path(x, x->ended.at[k].step);
        account_for_path(x);
        return &x->account;
    }
    return NULL;
}

/* Of runs at random not all are remembered; then it is the beginning. */
const struct account *explore_dispute_account(struct explorer *x, const struct dispute *dispute)
{
    bool known = !x->options.samples;

    search_find_path(x, known ? dispute->step : 0);
    account_for_path(x);
    if (known && dispute->open)
        vec_push(&x->decisions, account_decision(x, dispute->recv, dispute->send));
    x->account.decisions = x->decisions.n;
    x->account.decision = x->decisions.at;
    return &x->account;
}
