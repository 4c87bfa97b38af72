#include "explore/state.h"

#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "call/dynamic.h"
#include "call/calls.h"
#include "call/window.h"
#include "explore/invariants.h"

/* ---- room of states, to be used again ---- */

static void free_room(const struct game *game, struct state *state)
{
    for (rank_t r = 0; r < game->ranks; r++)
        vec_release(&state->player[r].request);
    sem_free(state->sem);
    free(state->player);
    free(state);
}

/* A state with room, in which nothing is true. */
static struct state *take_state_room(const struct game *game)
{
    struct state *state;

    if (game->room->n)
        return vec_pop(game->room);
    state = xcalloc(1, sizeof *state);
    state->sem = sem_new(game->ranks, 0);
    state->player = xcalloc((size_t)game->ranks, sizeof *state->player);
    return state;
}

static void free_all_room(struct game *game)
{
    while (game->room && game->room->n)
        free_room(game, vec_pop(game->room));
}

/* ---- what all states share ---- */

void game_init(struct game *game, const struct runner *runner, int ranks, int spawnable, struct spin_limits spin)
{
    *game = (struct game){.keepers = ranks, .spawnable = ranks - spawnable, .spin = spin};
    game->room = xcalloc(1, sizeof *game->room);
    tree_init(&game->tree, runner);
    game_grow(game);
}

void game_grow(struct game *game)
{
    free_all_room(game);
    game->ranks = window_players(game->keepers, game->windows.lessons.slots);
    game->tree.has_windows = game_has_machines(game);
    free(game->sends);
    free(game->heard);
    game->sends = xcalloc((size_t)game->ranks, sizeof *game->sends);
    game->heard = xcalloc((size_t)game->ranks, sizeof *game->heard);
}

void game_release(struct game *game)
{
    free_all_room(game);
    vec_release(game->room);
    free(game->room);
    tree_release(&game->tree);
    vec_release(&game->item);
    vec_release(&game->piece);
    vec_release(&game->ids);
    map_release(&game->cancelled);
    vec_release(&game->places);
    disputes_release(&game->disputes);
    seen_release(&game->leads_out);
    free(game->sends);
    free(game->heard);
}

bool state_is_unborn(const struct game *game, const struct state *state, rank_t r)
{
    if (r < game->spawnable || r >= game->keepers)
        return false;
    return r == dynamic_registry(game->keepers) || game->tree.node.at[state->player[r].node].parent == NODE_NONE;
}

/* ---- states ---- */

static void assign_player(struct player *to, const struct player *from)
{
    struct player was = *to;

    *to = *from;
    to->request = was.request;
    vec_assign(&to->request, &from->request);
}

struct state *state_clone(const struct game *game, const struct state *state)
{
    struct state *copy = take_state_room(game), room = *copy;

    CHECKED(state_check_key(game, state));
    *copy = *state;
    copy->sem = room.sem;
    sem_assign(copy->sem, state->sem);
    copy->player = room.player;
    for (rank_t r = 0; r < game->ranks; r++)
        assign_player(&copy->player[r], &state->player[r]);
    bonds_copy(&copy->bonds, &state->bonds);
    copy->tight = NULL;
    return copy;
}

void state_free(const struct game *game, struct state *state)
{
    enum { MOST_ROOM = 16 };

    bonds_release(&state->bonds);
    if (game->room->n == MOST_ROOM) {
        free_room(game, state);
        return;
    }
    sem_let_go(state->sem);
    vec_push(game->room, state);
}

uint64_t state_holds(const struct game *game, const struct state *state)
{
    uint64_t holds = 2 * (uint64_t)game->ranks + sem_live(state->sem);

    for (rank_t r = 0; r < game->ranks; r++)
        holds += state->player[r].request.n / 8;
    return holds;
}

/* ---- the key ---- */

static uint64_t identity_of(void *data, uint32_t user)
{
    const struct game *game = data;

    return game->tree.op.at[user].identity;
}

/* What a request will bring is known, but the rank has not heard of it. */
static void add_request_key(const struct game *game, const struct state *state, struct map_key *key, rank_t r,
                            uint32_t number)
{
    const struct live_request *request = &state->player[r].request.at[number];
    struct map_key sum = HASH_START;
    struct sem_view view, partner;

    if (!request->id)
        return;
    view = sem_view(state->sem, request->id);
    if (!request->cancelled && !view.matched && view.kind != SEM_DONE)
        return; /* the semantics tells of it */
    hash_stir(&sum, (uint64_t)number << 32 | (uint32_t)r);
    hash_stir(&sum, request->cancelled);
    if (view.matched && view.kind == SEM_RECV) {
        partner = sem_view(state->sem, view.partner);
        hash_stir(&sum, (uint64_t)partner.owner + 1);
        hash_stir(&sum, identity_of((void *)game, partner.user));
    }
    hash_add(key, sum);
}

struct map_key state_key(const struct game *game, const struct state *state)
{
    struct map_key key = sem_digest(state->sem, identity_of, (void *)game);

    for (rank_t r = 0; r < game->ranks; r++) {
        const struct player *p = &state->player[r];

        hash_stir(&key, tree_stand_for(&game->tree, p->node));
        hash_stir(&key, (uint64_t)p->posted << 8 | p->mode);
        for (uint32_t i = 1; i < p->request.n; i++)
            add_request_key(game, state, &key, r, i);
    }
    bonds_stir(&state->bonds, &key);
    hash_stir(&key, (uint64_t)(state->clash + 2) << 32 | (uint32_t)(state->other + 2));
    return key;
}

static void look_at_pair(struct game *game, const struct state *state, op_id send, op_id recv)
{
    dispute_look(&game->disputes, &game->tree, sem_view(state->sem, send).user, sem_view(state->sem, recv).user, true);
}

/* Who connects meets who accepts; all else of that context is told by nobody. */
static bool is_at_port(int tag)
{
    return tag >= DYNAMIC_PORT;
}

/* What keepers receive and send is no message of the program. */
static void note_pairing(struct game *game, const struct state *state, op_id send, op_id recv, bool made)
{
    if (!game->trails)
        return;
    if (sem_view(state->sem, send).context == DYNAMIC_CONTEXT && !is_at_port(sem_view(state->sem, send).tag))
        return;
    if (sem_view(state->sem, send).context != KEEPER_CONTEXT)
        trails_pair(game->trails, &game->tree, sem_view(state->sem, send).user, sem_view(state->sem, recv).user, made);
    else if (made)
        trails_pair_at_window(game->trails, &game->tree, sem_view(state->sem, send).user, sem_view(state->sem, recv).user);
}

/* What a receive could have taken instead, now that it takes this one. */
static void note_choices(struct game *game, const struct state *state, op_id send, op_id recv)
{
    int n = game->trails ? sem_choices(state->sem, recv, game->sends) : 0;

    for (int i = 0; i < n; i++)
        if (game->sends[i] != send)
            note_pairing(game, state, game->sends[i], recv, false);
}

static void settle_matches(struct game *game, struct state *state)
{
    struct match match;

    while (sem_next_forced(state->sem, &match)) {
        look_at_pair(game, state, match.send, match.recv);
        note_pairing(game, state, match.send, match.recv, true);
    }
}

/* ---- a rank goes on: its segment goes into the semantics ---- */

static void set_live_request(struct state *state, rank_t r, uint32_t number, op_id id)
{
    struct player *p = &state->player[r];

    if (number == 0)
        return;
    while (p->request.n <= number)
        vec_push(&p->request, (struct live_request){0});
    if (p->request.at[number].id)
        BUG("rank %d uses request %u twice", r, number);
    p->request.at[number] = (struct live_request){.id = id};
}

/* A request that its rank will not ask for any more. */
static void give_up_request(struct state *state, rank_t r, uint32_t number)
{
    struct live_request *request = state_request_at(state, r, number);

    sem_hold(state->sem, request->id, false); /* nobody can cancel it any more */
    sem_retire(state->sem, request->id);
    *request = (struct live_request){0};
}

/*
 * MPI_Request_free.  A receive that names its source is kept until its payload has been
 * handed over (deliver_freed).  One from any source is not: when it is matched depends on
 * the order of search, so no moment to do it would be the same in all runs alike.
 */
static void set_free(struct state *state, rank_t r, uint32_t number)
{
    struct live_request *request = state_request_at(state, r, number);
    struct sem_view view = sem_view(state->sem, request->id);

    if (view.kind != SEM_RECV || view.peer == RANK_ANY || request->cancelled) {
        give_up_request(state, r, number);
        return;
    }
    sem_hold(state->sem, request->id, false);
    request->freed = true;
}

static const op_id *list_ids(struct game *game, const struct state *state, rank_t r, const uint32_t *number, uint32_t n)
{
    vec_clear(&game->ids);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&game->ids, state_request(state, r, number[i]));
    return game->ids.at;
}

static bool all_complete(const struct state *state, rank_t r, const uint32_t *number, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!sem_view(state->sem, state_request(state, r, number[i])).complete)
            return false;
    return true;
}

enum { NEVER_SENT = -2 }; /* no message has this tag */

static void await_list(struct game *game, struct state *state, rank_t r, const struct op *op)
{
    uint32_t n;
    const uint32_t *number = call_list(op, &n);
    const op_id *ids = list_ids(game, state, r, number, n);

    state->player[r].mode = PLAYER_WAITS;
    if (is_peek(op) && !n) {
        sem_await_probe(state->sem, r, r, op->context, NEVER_SENT); /* its threads wait for each other */
        return;
    }
    sem_await(state->sem, r, is_selective(op) ? AWAIT_ANY : AWAIT_ALL, ids, (int)n);
}

static bool may_be_cancelled(const struct game *game, const struct op *op)
{
    uint32_t known;

    return op->kind != OP_COLL && !(op->flags & OPF_BLOCKING) && map_get(&game->cancelled, map_key(op->place), &known);
}

void game_learn_cancel(struct game *game, uint64_t place)
{
    uint32_t known;

    if (map_get(&game->cancelled, map_key(place), &known))
        return;
    map_put(&game->cancelled, map_key(place), 1);
    vec_push(&game->places, place);
    game->learned = true;
}

/*
 * The process went on, for what it waited for was complete.  With less slack that
 * may not be so; then the rank stands here.
 */
static void let_pass(struct state *state, rank_t r, const op_id *ids, uint32_t n, op_id alone)
{
    struct player *p = &state->player[r];

    p->mode = PLAYER_PASSES;
    p->passes = alone;
    sem_await(state->sem, r, AWAIT_ALL, ids, (int)n);
}

static void after_posting(struct game *game, struct state *state, rank_t r, const struct op *op, op_id id)
{
    if (op->request && (may_be_cancelled(game, op) || (game->stepwise && op->kind == OP_RECV)))
        sem_hold(state->sem, id, true);
    set_live_request(state, r, op->request, id);
    if (op->flags & OPF_BLOCKING && !(op->flags & OPF_WENT_ON))
        await_list(game, state, r, op);
    else if (op->request == 0 && !sem_view(state->sem, id).complete)
        let_pass(state, r, &id, 1, id);
    else if (op->request == 0)
        sem_retire(state->sem, id);
}

/* Compares a part that has just joined with that of a member, if it is there. */
static void compare_with(struct game *game, struct state *state, const struct coll_part *mine, op_id id, int position)
{
    const struct type_finder types = {tree_find_type, &game->tree};
    op_id part = sem_coll_part(state->sem, id, position);
    struct sem_view view;
    struct coll_part theirs = {.position = (uint32_t)position};
    struct coll_unlike unlike;

    if (!part || part == id || state->clash != RANK_NONE)
        return;
    view = sem_view(state->sem, part);
    theirs.op = game->tree.op.at[view.user].op;
    unlike = agree_parts(&types, &theirs, mine);
    if (!unlike.fault)
        return;
    state->clash = view.owner;
    state->clash_op = view.user;
    state->unlike = unlike;
    view = sem_view(state->sem, id);
    state->other = view.owner;
    state->other_op = view.user;
}

static void compare_with_first(struct game *game, struct state *state, const struct coll_part *mine, op_id id)
{
    const rank_t *member;
    int members = sem_members(state->sem, mine->op->context, &member), first = 0;

    while (first < members && ((uint32_t)first == mine->position || !sem_coll_part(state->sem, id, first)))
        first++;
    if (first < members)
        compare_with(game, state, mine, id, first);
}

static void compare_with_sources(struct game *game, struct state *state, const struct coll_part *mine, op_id id)
{
    const struct op_coll *coll = op_tail(mine->op);

    for (uint32_t i = coll->from; i < coll->until; i++)
        compare_with(game, state, mine, id, (int)i);
    for (uint32_t i = 0; i < coll->listed; i++)
        compare_with(game, state, mine, id, (int)op_coll_list(coll)[i]);
    for (uint32_t i = 0; i < coll->idle; i++)
        compare_with(game, state, mine, id, (int)op_coll_idle(coll)[i]);
}

static void compare_with_targets(struct game *game, struct state *state, const struct coll_part *mine, op_id id)
{
    const rank_t *member;
    const struct op_coll *coll = op_tail(mine->op);
    const struct op_slice *slice = op_coll_slices(coll);
    int members = sem_members(state->sem, mine->op->context, &member);

    for (uint32_t i = 0; i < coll->slices; i++) {
        bool all = slice[i].to == SLICE_FOR_ALL;

        for (int k = all ? 0 : slice[i].to; k < (all ? members : slice[i].to + 1); k++)
            compare_with(game, state, mine, id, k);
    }
}

/* Everybody must agree with whoever came first; and with those it hears from or brings something to. */
static void check_parts(struct game *game, struct state *state, rank_t r, const struct op *op, op_id id)
{
    const struct op_coll *coll = op_tail(op);
    struct coll_part mine = {op, (uint32_t)sem_position(state->sem, op->context, r)};

    compare_with_first(game, state, &mine, id);
    if (coll->reduction)
        return;
    if (coll->takes || coll->idle)
        compare_with_sources(game, state, &mine, id);
    compare_with_targets(game, state, &mine, id);
}

static void post_coll_part(struct game *game, struct state *state, rank_t r, const struct op *op, uint32_t user)
{
    const struct op_coll *coll = op_tail(op);
    op_id id = sem_coll(state->sem, r, op->context, (uint32_t)op->turn, coll->from, coll->until, op_coll_list(coll),
                        coll->listed, user);

    check_parts(game, state, r, op, id);
    after_posting(game, state, r, op, id);
}

static void post_wait_or_test(struct game *game, struct state *state, rank_t r, const struct op *op)
{
    uint32_t n;
    const uint32_t *number = call_list(op, &n);

    if (op->kind == OP_TEST)
        state->player[r].mode = PLAYER_POLLS;
    else if (!(op->flags & OPF_WENT_ON))
        await_list(game, state, r, op);
    else if (all_complete(state, r, number, n))
        for (uint32_t i = 0; i < n; i++)
            give_up_request(state, r, number[i]);
    else
        let_pass(state, r, list_ids(game, state, r, number, n), n, OP_ID_NONE);
}

static void post_new_context(struct state *state, rank_t r, const struct op *op)
{
    const struct op_group *group = op_tail(op);

    if (sem_context(state->sem, op->context, (int)group->first_group, (int)group->members, group->member) < 0)
        BUG("rank %d sees other members of a communicator than the ranks before", r);
}

static struct send_order order_of_send(struct game *game, struct state *state, rank_t r, const struct op *op)
{
    bool calms = op->context == KEEPER_CONTEXT && op->peer >= game->keepers &&
                 window_knowledge_calms(&game->windows, game->keepers, op);

    return op_send_order(op, calms, &state->player[r].asked);
}

static void post_op(struct game *game, struct state *state, rank_t r, const struct op *op, uint32_t user)
{
    if (op_is_dynamic(op) && !sem_has_context(state->sem, DYNAMIC_CONTEXT))
        sem_context_of_first(state->sem, DYNAMIC_CONTEXT, game->keepers);
    switch ((enum op_kind)op->kind) {
    case OP_CONTEXT:
        post_new_context(state, r, op);
        break;
    case OP_CONTEXT_LEFT:
        sem_leave(state->sem, op->context);
        break;
    case OP_SEND:
        after_posting(game, state, r, op,
                      sem_send_in_order(state->sem, r, op->peer, op->context, op->tag, send_mode(op->flags), op->bytes,
                                        user, order_of_send(game, state, r, op)));
        break;
    case OP_RECV:
        after_posting(game, state, r, op, sem_recv(state->sem, r, op->peer, op->context, op->tag, user));
        break;
    case OP_COLL:
        post_coll_part(game, state, r, op, user);
        break;
    case OP_WAIT:
    case OP_TEST:
        post_wait_or_test(game, state, r, op);
        break;
    case OP_PROBE:
        state->player[r].mode = PLAYER_WAITS;
        sem_await_probe(state->sem, r, op->peer, op->context, op->tag);
        break;
    case OP_IPROBE:
        state->player[r].mode = PLAYER_POLLS;
        break;
    OP_CASES(OP_CHOICES)
        await_list(game, state, r, op); /* of nothing: which it is to be can be said at once */
        break;
    case OP_FREE:
        set_free(state, r, op->request);
        break;
    case OP_DONE:
        set_live_request(state, r, op->request, sem_done(state->sem, r, user));
        break;
    case OP_TAKEN:
        dispute_look(&game->disputes, &game->tree,
                     sem_view(state->sem, sem_view(state->sem, state_request(state, r, op->request)).partner).user,
                     user, true);
        sem_receive(state->sem, state_request(state, r, op->request));
        break;
    case OP_CANCEL:   /* decided where the rank rests */
    case OP_ATTACHED: /* nothing waits for its room: check/buffer_room.h */
    OP_CASES(OP_LIFE)
    OP_CASES(OP_REMARKS)
    OP_CASES(OP_ENDS)
        break;
    OP_CASES(OP_SERVICES)
        BUG("rank %d posted an operation of kind %u", r, op->kind);
    }
}

/* A rank that polls round and round stands at the head of its round, wherever it came in. */
static void stop_spinning(struct game *game, struct state *state, rank_t r)
{
    node_id head =
        game->spin.rounds ? spin_head(&game->tree, state->player[r].node, game->spin) : NODE_NONE;

    state->player[r].spins = head != NODE_NONE;
    if (game->tree.scout_due)
        game->learned = true; /* it was not followed */
    if (!head)
        return;
    state->player[r].node = head;
    state->player[r].posted = game->tree.node.at[head].count - 1;
    if (game->trails)
        trails_spin(game->trails, &game->tree, r, head);
}

/* Cancels of requests that are over already have nothing to decide. */
static bool must_rest(const struct state *state, rank_t r, const struct op *op)
{
    return op->kind == OP_CANCEL && state_request(state, r, op->request);
}

/* Whether it goes to the keeper of a window for which there is none yet. */
static bool lacks_keeper(const struct game *game, const struct op *op)
{
    return op->kind == OP_SEND && op->peer >= game->ranks;
}

static bool op_is_step(const struct op *op)
{
    return op_posts(op) || op->kind == OP_TAKEN;
}

/*
 * Posts the segment from its `from`-th operation on, up to one where the rank rests or its end, in one step (L8).
 * Stepwise, it rests before each but `step`, which is the one to post now.
 */
static int go_on_by(struct game *game, struct state *state, rank_t r, uint32_t from, uint32_t step)
{
    struct player *p = &state->player[r];
    const struct node *node = &game->tree.node.at[p->node];

    p->mode = PLAYER_OVER;
    for (uint32_t i = from; i < node->count && state->clash == RANK_NONE; i++) {
        const struct op *op = game->tree.op.at[node->first_op + i].op;

        p->posted = i;
        if (window_knowledge_learn(&game->windows, game->keepers, op))
            game->learned = true;
        if (lacks_keeper(game, op))
            return 0;
        if (must_rest(state, r, op))
            p->mode = PLAYER_CANCELS;
        else if (game->stepwise && i != step && op_is_step(op))
            p->mode = PLAYER_STEPS;
        else
            post_op(game, state, r, op, node->first_op + i);
        if (p->mode == PLAYER_CANCELS || p->mode == PLAYER_PASSES || p->mode == PLAYER_STEPS)
            return 0;
    }
    if (p->mode == PLAYER_POLLS)
        stop_spinning(game, state, r);
    return game->tree.failed ? -1 : 0;
}

static int go_on_posting(struct game *game, struct state *state, rank_t r, uint32_t from)
{
    return go_on_by(game, state, r, from, UINT32_MAX);
}

static void leave_footprint(struct game *game, const struct node *node)
{
    struct map_key *sum = &game->footprint->sum;

    hash_stir(sum, (uint64_t)node->end << 32 | node->count);
    for (uint32_t i = 0; i < node->count; i++) {
        const struct op *op = game->tree.op.at[node->first_op + i].op;

        hash_stir(sum, op->place);
        hash_stir(sum, (uint64_t)op->kind << 48 | (uint64_t)op->call << 32 | (uint32_t)op->peer);
        hash_stir(sum, (uint64_t)(uint32_t)op->tag << 32 | (uint32_t)op->context);
    }
}

static int enter_node(struct game *game, struct state *state, rank_t r, node_id id, const struct ret *ret)
{
    if (!id)
        return -1;
    state->player[r].node = id;
    if (game->trails)
        trails_enter(game->trails, &game->tree, r, id, ret);
    state->player[r].spins = false;
    if (game->footprint && game->footprint->rank == r)
        leave_footprint(game, &game->tree.node.at[id]);
    return go_on_posting(game, state, r, 0);
}

static int go_past(struct game *game, struct state *state, rank_t r)
{
    struct player *p = &state->player[r];
    const struct op *op = game->tree.op.at[game->tree.node.at[p->node].first_op + p->posted].op;
    uint32_t n;
    const uint32_t *number = call_list(op, &n);

    sem_go(state->sem, r);
    if (p->passes)
        sem_retire(state->sem, p->passes);
    for (uint32_t i = 0; i < n && !p->passes; i++)
        give_up_request(state, r, number[i]);
    return go_on_posting(game, state, r, p->posted + 1);
}

const struct op *state_call(const struct game *game, const struct state *state, rank_t r)
{
    const struct player *p = &state->player[r];

    if (p->mode == PLAYER_OVER)
        return NULL;
    return game->tree.op.at[game->tree.node.at[p->node].first_op + p->posted].op;
}

bool state_other_threads_go(const struct game *game, const struct state *state, rank_t r)
{
    const struct op *call = state_call(game, state, r);

    return call && is_peek(call) && call->flags & OPF_OTHERS_GO;
}

bool state_withholds(const struct game *game, const struct state *state)
{
    for (rank_t r = 0; r < game->keepers; r++) {
        const struct op *call = state_call(game, state, r);

        if (call && call->flags & OPF_WITHHOLDS)
            return true;
    }
    return false;
}

uint32_t state_cancel_op(const struct game *game, const struct state *state, rank_t r)
{
    return game->tree.node.at[state->player[r].node].first_op + state->player[r].posted;
}

op_id state_cancelled(const struct game *game, const struct state *state, rank_t r)
{
    return state_request(state, r, game->tree.op.at[state_cancel_op(game, state, r)].op->request);
}

static const struct live_request *cancelled_request(const struct game *game, const struct state *state, rank_t r)
{
    return state_request_at(state, r, game->tree.op.at[state_cancel_op(game, state, r)].op->request);
}

bool state_cancel_may_withdraw(const struct game *game, const struct state *state, rank_t r)
{
    const struct live_request *request = cancelled_request(game, state, r);

    return !request->escaped && !sem_view(state->sem, request->id).matched;
}

bool state_cancel_may_fail(const struct game *game, const struct state *state, rank_t r)
{
    return !state_cancel_may_withdraw(game, state, r) ||
           sem_may_escape(state->sem, cancelled_request(game, state, r)->id);
}

/* The cancel fails though the send is unmatched: it is buffered, and nobody can cancel it any more. */
static void escape(struct state *state, struct live_request *request)
{
    request->escaped = true;
    sem_loosen(state->sem, request->id);
    sem_hold(state->sem, request->id, false);
}

static int cancel(struct game *game, struct state *state, rank_t r, bool withdraw)
{
    struct player *p = &state->player[r];
    const struct op *op = game->tree.op.at[state_cancel_op(game, state, r)].op;
    struct live_request *request = state_request_at(state, r, op->request);
    struct sem_view view = sem_view(state->sem, request->id);

    if (view.kind != SEM_COLL) {
        game_learn_cancel(game, game->tree.op.at[view.user].op->place);
        if (withdraw)
            request->cancelled = sem_withdraw(state->sem, request->id);
        else if (!view.matched && !request->escaped)
            escape(state, request);
    }
    return go_on_posting(game, state, r, p->posted + 1);
}

/* ---- answers ---- */

/* The answer being put together tells of this operation. */
static void hear_of_op(struct game *game, const struct sem_view *view)
{
    if (game->heard[view->owner] < view->posted)
        game->heard[view->owner] = view->posted;
}

static void add_piece(struct game *game, const struct state *state, op_id coll, uint32_t from, uint32_t position,
                      uint32_t nth)
{
    struct sem_view view = sem_view(state->sem, sem_coll_part(state->sem, coll, (int)from));
    const struct op *part = game->tree.op.at[view.user].op;
    uint32_t slice = answer_slice(part, position, nth);
    uint64_t content = slice == NO_SLICE ? 0 : tree_contents(&game->tree, view.user)[slice];

    hear_of_op(game, &view);
    vec_push(&game->piece, (struct answer_piece){from, slice, part, content});
}

static uint32_t times_listed_before(const uint32_t *list, uint32_t i)
{
    uint32_t times = 0;

    for (uint32_t k = 0; k < i; k++)
        times += list[k] == list[i];
    return times;
}

static void add_coll(struct game *game, const struct state *state, op_id id, struct answer_item *item,
                     const struct sem_view *view)
{
    const struct op_coll *coll = op_tail(game->tree.op.at[view->user].op);
    const uint32_t *listed = op_coll_list(coll);
    uint32_t position = (uint32_t)sem_position(state->sem, view->context, view->owner);

    item->first_piece = (uint32_t)game->piece.n;
    for (uint32_t i = coll->from; i < coll->until; i++)
        add_piece(game, state, id, i, position, 0);
    for (uint32_t i = 0; i < coll->listed; i++)
        add_piece(game, state, id, listed[i], position, times_listed_before(listed, i));
    item->pieces = (uint32_t)game->piece.n - item->first_piece;
}

/* Puts one complete request into the answer; it is over. */
static void deliver_request(struct game *game, struct state *state, rank_t r, uint32_t number)
{
    struct live_request request = *state_request_at(state, r, number);
    struct sem_view view = sem_view(state->sem, request.id);
    struct answer_item item = {.request = number, .source = RANK_NONE};

    if (request.cancelled) {
        item.flags = ANSWERED_CANCELLED;
    } else if (view.kind == SEM_COLL) {
        add_coll(game, state, request.id, &item, &view);
    } else if (view.kind == SEM_RECV) {
        struct sem_view send = sem_view(state->sem, view.partner);

        item.source = send.owner;
        item.message = game->tree.op.at[send.user].op;
        item.content = *tree_contents(&game->tree, send.user);
        hear_of_op(game, &send);
    }
    vec_push(&game->item, item);
    give_up_request(state, r, number);
}

static void deliver_list(struct game *game, struct state *state, rank_t r, const struct op *call, uint64_t choice)
{
    uint32_t n;
    const uint32_t *number = call_list(call, &n);

    if (is_peek(call)) {
        vec_push(&game->item, (struct answer_item){.flags = ANSWERED_CHOSEN, .source = (rank_t)choice - 1});
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        bool chosen = true;

        if (call->flags & OPF_ANY)
            chosen = choice == i + 1;
        else if (call->flags & OPF_SOME && choice == ANSWER_ALL)
            chosen = sem_view(state->sem, state_request(state, r, number[i])).complete;
        else if (call->flags & OPF_SOME)
            chosen = choice >> i & 1;
        if (chosen)
            deliver_request(game, state, r, number[i]);
    }
}

/*
 * With an answer from a rank come the messages that it sent before and that freed receives
 * have taken: then a program may look at them.  That does not depend on who has got how far.
 */
static void deliver_freed(struct game *game, struct state *state, rank_t r)
{
    for (uint32_t i = 1; i < state->player[r].request.n; i++) {
        const struct live_request *request = &state->player[r].request.at[i];
        struct sem_view send;

        if (!request->freed || !sem_view(state->sem, request->id).matched)
            continue;
        send = sem_view(state->sem, sem_view(state->sem, request->id).partner);
        if (send.posted < game->heard[send.owner])
            deliver_request(game, state, r, i);
    }
}

static void deliver_seen(struct game *game, struct state *state, rank_t r, const struct op *call, uint32_t user,
                         op_id seen)
{
    struct sem_view send = sem_view(state->sem, seen);
    op_id recv;

    vec_push(&game->item, (struct answer_item){.request = call->request,
                                               .flags = ANSWERED_SEEN,
                                               .source = send.owner,
                                               .message = game->tree.op.at[send.user].op});
    if (!(call->flags & OPF_TAKE))
        return;
    recv = sem_take(state->sem, seen, user);
    set_live_request(state, r, call->request, recv);
    note_pairing(game, state, seen, recv, true);
}

static int answer_call(struct game *game, struct state *state, rank_t r, node_id at, uint64_t choice, op_id seen)
{
    const struct op *call = tree_call(&game->tree, at);
    struct ret ret;
    node_id child;

    vec_clear(&game->item);
    vec_clear(&game->piece);
    if (game->trails)
        trails_told_no(game->trails, &game->tree, r, at);
    if (state->player[r].mode == PLAYER_WAITS)
        sem_go(state->sem, r);
    if (op_chooses(call)) {
        bonds_note(&state->bonds, call, choice);
        vec_push(&game->item, (struct answer_item){.flags = ANSWERED_CHOSEN, .source = (rank_t)choice - 1});
    } else if (choice != ANSWER_NO && is_probe(call)) {
        deliver_seen(game, state, r, call, node_call(&game->tree, at), seen);
    } else if (choice != ANSWER_NO) {
        memset(game->heard, 0, (size_t)game->ranks * sizeof *game->heard);
        deliver_list(game, state, r, call, choice);
        deliver_freed(game, state, r);
    }
    ret = (struct ret){.flag = choice != ANSWER_NO,
                       .noes = choice == ANSWER_NO && op_is_poll(call) ? leaps_noes(&game->leaps, &game->tree) : 0,
                       .last = game->last,
                       .items = (uint32_t)game->item.n,
                       .item = game->item.at,
                       .piece = game->piece.at};
    child = tree_child(&game->tree, at, &ret);
    if (ret.noes)
        ret.noes = tree_leap(&game->tree, at);
    return enter_node(game, state, r, child, &ret);
}

/* Whether there is one answer only, whenever it is given. */
static bool answer_is_certain(const struct op *call)
{
    if (op_chooses(call))
        return call->items == 1;
    if (is_peek(call))
        return !(call->flags & OPF_ORDERED);
    return call->kind == OP_PROBE ? call->peer != RANK_ANY : !is_selective(call) || call->items == 0;
}

/* What a certain answer says: of threads that wait, the first whose request is complete goes on. */
static uint64_t certain_choice(const struct state *state, rank_t r, const struct op *call)
{
    uint32_t n, i = 0;
    const uint32_t *number = call_list(call, &n);

    if (!is_peek(call))
        return ANSWER_YES;
    while (i < n && !sem_view(state->sem, state_request(state, r, number[i])).complete)
        i++;
    return i + 1;
}

static int answer_certain(struct game *game, struct state *state, rank_t r)
{
    node_id at = state->player[r].node;
    const struct op *call = tree_call(&game->tree, at);
    op_id seen = OP_ID_NONE;

    if (!answer_is_certain(call))
        return 0;
    if (call->kind == OP_PROBE) {
        if (sem_probe(state->sem, r, call->peer, call->context, call->tag, game->sends) != 1)
            BUG("rank %d is ready but its probe sees nothing", r);
        seen = game->sends[0];
        if (sem_view(state->sem, seen).held)
            return 0;
    }
    return answer_call(game, state, r, at, certain_choice(state, r, call), seen);
}

/* ---- a rank that is slow ---- */

/* A call in which a rank waits for nothing but what others have changed in windows. */
static bool waits_for_news_alone(const struct game *game, const struct state *state, rank_t r)
{
    const struct op *call = tree_call(&game->tree, state->player[r].node);
    uint32_t n;
    if (state->player[r].mode != PLAYER_WAITS || call->kind != OP_WAIT || call->payload)
        return false;
    const uint32_t *number = call_list(call, &n);
    for (uint32_t i = 0; i < n; i++) {
        struct sem_view view = sem_view(state->sem, state_request(state, r, number[i]));
        if (view.kind != SEM_RECV || view.context != KEEPER_CONTEXT || view.tag != WINDOW_NEWS)
            return false;
    }
    return n > 0;
}

/* The first operation of a segment that is of another call; NULL: the call goes on. */
static const struct op *next_call_in(const struct tree *tree, node_id segment, const struct op *call)
{
    const struct node *node = &tree->node.at[segment];
    for (uint32_t i = 0; i < node->count; i++) {
        const struct op *op = tree->op.at[node->first_op + i].op;
        if (op->call != call->call || op->place != call->place)
            return op;
    }
    return NULL;
}

/*
 * Whether the program may be meant to see, when that call of the rank has returned, what others have done: not if the next one is MPI_Win_sync, unless it has a
 * lock already, which does the same (12.7).
 */
static bool goes_on_to_load(const struct game *game, const struct op *call, node_id next)
{
    const struct op *other = next_call_in(&game->tree, next, call);
    bool sees = call->call == CALL_Win_lock || call->call == CALL_Win_lock_all || call->call == CALL_Win_sync;
    return other && (sees || other->call != CALL_Win_sync);
}

/* Tried in a copy of the state. */
static bool goes_on_to_load_next(struct game *game, const struct state *state, rank_t r)
{
    struct state *copy = state_clone(game, state);
    struct trails *trails = game->trails;
    const struct op *call = tree_call(&game->tree, state->player[r].node);
    game->trails = NULL;
    bool loads = answer_certain(game, copy, r) == 0 && goes_on_to_load(game, call, copy->player[r].node);
    game->trails = trails;
    state_free(game, copy);
    return loads;
}

bool state_holds_slow(const struct game *game, const struct state *state)
{
    return game->slow_is_held == SLOW_HELD && sem_is_ready(state->sem, game->slow);
}

static bool begins_to_hold_slow(struct game *game, struct state *state)
{
    bool may = game->slow_is_held == SLOW_TO_BE_HELD && sem_is_ready(state->sem, game->slow) && waits_for_news_alone(game, state, game->slow);
    if (!may)
        return false;
    state->key = state_key(game, state); /* nobody else goes on, so it can be copied */
    return goes_on_to_load_next(game, state, game->slow);
}

/* Who goes on next: a rank that is slow, if no other can, and not yet if it is held. */
static bool next_to_go_on(struct game *game, struct state *state, rank_t *r)
{
    if (!game->has_slow)
        return sem_next_ready(state->sem, r);
    if (state_holds_slow(game, state))
        return sem_next_ready_except(state->sem, game->slow, r);
    if (sem_next_ready_except(state->sem, game->slow, r))
        return true;
    if (begins_to_hold_slow(game, state)) {
        game->slow_is_held = SLOW_HELD;
        return false;
    }
    return sem_next_ready(state->sem, r);
}

static int settle_state(struct game *game, struct state *state)
{
    rank_t r;

    for (r = game->keepers; r-- > 0 && game_has_keepers(game);)
        state->player[r].asked = 0;
    for (;;) {
        settle_matches(game, state);
        if (state->clash != RANK_NONE || game->stepwise || !next_to_go_on(game, state, &r))
            break;
        if ((state->player[r].mode == PLAYER_PASSES ? go_past : answer_certain)(game, state, r) < 0)
            return -1;
    }
    if (!game->unkeyed)
        state->key = state_key(game, state);
    CHECKED(state_check_invariants(game, state));
    return 0;
}

int state_let_slow_go(struct game *game, struct state *state)
{
    game->slow_is_held = SLOW_FREE;
    return settle_state(game, state);
}

int state_spin(struct game *game, struct state *state, uint32_t rounds)
{
    game->spin.rounds = rounds;
    for (rank_t r = 0; r < game->ranks; r++)
        if (state->player[r].mode == PLAYER_POLLS && !state->player[r].spins)
            stop_spinning(game, state, r);
    state->key = state_key(game, state);
    return game->tree.failed ? -1 : 0;
}

int state_loosen(struct game *game, struct state *state, const op_id *ids, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sem_loosen(state->sem, ids[i]);
    return settle_state(game, state);
}

int state_cancel(struct game *game, struct state *state, rank_t r, bool withdraw)
{
    if (cancel(game, state, r, withdraw) < 0)
        return -1;
    return settle_state(game, state);
}

int state_match(struct game *game, struct state *state, op_id send, op_id recv)
{
    look_at_pair(game, state, send, recv);
    note_choices(game, state, send, recv);
    sem_match(state->sem, send, recv);
    note_pairing(game, state, send, recv, true);
    return settle_state(game, state);
}

int state_answer(struct game *game, struct state *state, rank_t r, node_id at, uint64_t choice, op_id seen)
{
    if (answer_call(game, state, r, at, choice, seen) < 0)
        return -1;
    return settle_state(game, state);
}

/* The operation that was just posted is loosened, whether or not anybody asks for it. */
static void loosen_newest(struct state *state, rank_t r, const struct op *op)
{
    const struct player *p = &state->player[r];
    op_id id = op->request ? state_request(state, r, op->request) : p->mode == PLAYER_PASSES ? p->passes : OP_ID_NONE;

    if (id)
        sem_loosen(state->sem, id);
}

int state_step(struct game *game, struct state *state, rank_t r, bool loosen)
{
    struct player *p = &state->player[r];
    uint32_t step = p->posted;
    const struct op *op = state_call(game, state, r);

    if ((p->mode == PLAYER_PASSES ? go_past(game, state, r) : go_on_by(game, state, r, step, step)) < 0)
        return -1;
    if (loosen)
        loosen_newest(state, r, op);
    return settle_state(game, state);
}

struct state *state_begin(struct game *game, uint64_t slack)
{
    struct state *state = xcalloc(1, sizeof *state);
    int failed = 0;

    state->sem = sem_new(game->ranks, slack);
    state->player = xcalloc((size_t)game->ranks, sizeof *state->player);
    state->clash = state->other = RANK_NONE;
    if (game_has_keepers(game))
        sem_context_of_first(state->sem, KEEPER_CONTEXT, game->keepers); /* everybody who is no keeper */
    for (rank_t r = 0; r < game->ranks && !failed; r++)
        failed = enter_node(game, state, r, tree_begin(&game->tree, r), NULL);
    if (!failed && settle_state(game, state) == 0)
        return state;
    state_free(game, state);
    return NULL;
}
