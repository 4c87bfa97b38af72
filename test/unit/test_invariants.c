/*
 * The invariants themselves: what is sound passes, and what was broken on purpose is caught, with a sentence that says
 * what.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "explore/invariants.h"
#include "explore/search.h"
#include "sem/invariants.h"
#include "sem/queue.h"
#include "sem/state.h"

enum { WORLD = 7, RANKS = 3 };

/* ---- what is caught ---- */

/* What a child says that breaks something and checks it; how it ended. */
static int say_in_child(void (*breaks)(void *), void (*check)(const void *), void *what, char *said, size_t room)
{
    int status, ends[2];
    ssize_t n, all = 0;
    pid_t child;

    fflush(NULL);
    assert_int_equal(pipe(ends), 0);
    child = fork();
    if (!child) {
        dup2(ends[1], STDERR_FILENO);
        breaks(what);
        check(what);
        _exit(0);
    }
    close(ends[1]);
    while ((n = read(ends[0], said + all, room - 1 - (size_t)all)) > 0)
        all += n;
    said[all] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect_caught(void (*breaks)(void *), void (*check)(const void *), void *what, const char *words)
{
    char said[1000];
    int code = say_in_child(breaks, check, what, said, sizeof said);

    if (code != 3 || !strstr(said, words))
        fail_msg("expected a bug with '%s', and it ended with %d and said: %s", words, code, said);
}

/* ---- the semantics ---- */

static void check_sem(const void *sem)
{
    sem_check_invariants(sem);
}

/*
 * Something of everything: an unmatched send, a wildcard and named receives that wait, a pair that was matched, a
 * collective that lacks a member, and a rank that waits.
 */
static struct sem *some_sem(void)
{
    static const rank_t all[RANKS] = {0, 1, 2};
    struct sem *sem = sem_new(RANKS, SLACK_INFINITE);
    op_id recv, send;

    assert_int_equal(sem_context(sem, WORLD, RANKS, RANKS, all), 0);
    sem_send(sem, 1, 0, WORLD, 4, SEND_STANDARD, 8, 1);
    recv = sem_recv(sem, 2, 1, WORLD, TAG_ANY, 2);
    sem_recv(sem, 2, 1, WORLD, 5, 3);
    sem_recv(sem, 1, RANK_ANY, WORLD, 6, 4);
    send = sem_send(sem, 0, 0, WORLD, 9, SEND_SYNCHRONOUS, 8, 5);
    sem_match(sem, send, sem_recv(sem, 0, 0, WORLD, 9, 6));
    sem_coll(sem, 0, WORLD, 0, 0, RANKS, NULL, 0, 7);
    sem_await(sem, 2, AWAIT_ALL, &recv, 1);
    sem_check_invariants(sem);
    return sem;
}

static op_id find(const struct sem *sem, uint32_t user)
{
    op_id id = 1;

    while (op_known(sem, id)->user != user)
        id++;
    return id;
}

static void count_a_send_twice(void *sem)
{
    ((struct sem *)sem)->rank[1].incomings++;
}

static void complete_without_a_message(void *sem)
{
    op_to_change(sem, find(sem, 4))->complete = true;
}

static void lose_a_partner(void *sem)
{
    op_to_change(sem, find(sem, 5))->partner = find(sem, 1);
}

static void link_backwards(void *data)
{
    struct sem *sem = data;

    op_to_change(sem, find(sem, 1))->link[INCOMING].prev = find(sem, 4);
}

static void leave_a_queue(void *sem)
{
    op_to_change(sem, find(sem, 1))->queue = 0;
}

static void overlook_a_pair(void *data)
{
    struct sem *sem = data;

    sem_send(sem, 1, 2, WORLD, 8, SEND_STANDARD, 8, 8);
    queue_set_forced(sem, sem->forced.first, false);
}

static void step_out(void *sem)
{
    queue_step_out(sem, find(sem, 3));
}

static void be_ready(void *sem)
{
    ((struct sem *)sem)->rank[3].ready = ((struct sem *)sem)->rank[3].told = true;
}

static void await_one_less(void *sem)
{
    op_to_change(sem, find(sem, 2))->awaited = false;
}

static void use_a_context_twice(void *data)
{
    struct sem *sem = data;

    sem->context.at[context_index(sem, WORLD)].users++;
}

static void need_less(void *sem)
{
    op_to_change(sem, find(sem, 7))->missing++;
}

static void pass_who_has_not_joined(void *data)
{
    struct sem *sem = data;

    sem->cursor.at[sem->instance.at[op_known(sem, find(sem, 7))->instance].cursors].at++;
}

static void lose_an_operation(void *sem)
{
    ((struct sem *)sem)->op.used++;
}

static void test_sem(void **state)
{
    struct sem *sem = some_sem();

    (void)state;
    expect_caught(count_a_send_twice, check_sem, sem, "1 sends to rank 0 are unmatched and it says 2");
    expect_caught(complete_without_a_message, check_sem, sem, "is complete without a message");
    expect_caught(lose_a_partner, check_sem, sem, "which is not with it");
    expect_caught(link_backwards, check_sem, sem, "says it comes after");
    expect_caught(leave_a_queue, check_sem, sem, "unmatched and not in a queue");
    expect_caught(overlook_a_pair, check_sem, sem, "are a forced pair that was overlooked");
    expect_caught(step_out, check_sem, sem, "stands behind one for any tag, unnoticed");
    expect_caught(be_ready, check_sem, sem, "rank 2 is ready, and what it waits for says otherwise");
    expect_caught(await_one_less, check_sem, sem, "by mistake");
    expect_caught(use_a_context_twice, check_sem, sem, "operations and says");
    expect_caught(need_less, check_sem, sem, "has 1 needs and says 2");
    expect_caught(pass_who_has_not_joined, check_sem, sem, "which has not joined");
    expect_caught(lose_an_operation, check_sem, sem, "operations are free");
    sem_free(sem);
}

static void keep_one_more(void *sem)
{
    ((struct sem *)sem)->kept_queues++;
}

/* A message with this tag, and the receive that it meets, which names the tag or takes any. */
static void pass_a_message(struct sem *sem, int tag, bool any)
{
    op_id send = sem_send(sem, 0, 1, WORLD, tag, SEND_STANDARD, 8, 0), recv;
    struct match match;

    sem_retire(sem, send);
    recv = sem_recv(sem, 1, 0, WORLD, any ? TAG_ANY : tag, 0);
    assert_true(sem_next_forced(sem, &match));
    assert_int_equal(match.send, send);
    assert_int_equal(match.recv, recv);
    sem_retire(sem, recv);
}

/* Of tags that never come again, some; of those that do, the same. */
static void test_kept_queues(void **state)
{
    enum { TAGS = 5000, SOME = 1100 };
    const rank_t all[] = {0, 1, 2};
    struct sem *sem = sem_new(RANKS, SLACK_INFINITE);
    uint32_t used;

    (void)state;
    assert_int_equal(sem_context(sem, WORLD, RANKS, RANKS, all), 0);
    sem_keep_queues(sem);
    for (int tag = 0; tag < TAGS; tag++) {
        pass_a_message(sem, tag, tag % 3 == 0);
        if (tag % 100 == 0)
            sem_check_invariants(sem);
        assert_true(sem->queue.used < SOME);
    }
    used = sem->queue.used;
    pass_a_message(sem, TAGS - 1, false);
    assert_int_equal(sem->queue.used, used);
    assert_int_equal(sem->op.used, 0);
    sem_check_invariants(sem);
    expect_caught(keep_one_more, check_sem, sem, "queues are kept");
    sem_free(sem);
}

/* ---- the search: ranks 1 and 2 send a message each; rank 0 receives two from anybody and sends one at its end ---- */

struct ranks {
    uint32_t depth[64];
    struct op op[4];
    uint64_t content[1];
};

static void add_context(struct op *at)
{
    struct op_group group = {.members = RANKS, .first_group = RANKS};
    static const rank_t all[RANKS] = {0, 1, 2};

    at[0] = (struct op){.kind = OP_CONTEXT, .context = WORLD, .size = 2 * sizeof *at};
    memset(&at[1], 0, sizeof *at);
    memcpy(&at[1], &group, sizeof group);
    memcpy((char *)&at[1] + sizeof group, all, sizeof all);
}

static int run_rank(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to, struct segment *segment)
{
    struct ranks *ranks = data;
    struct op call = {.kind = OP_RECV, .flags = OPF_BLOCKING, .peer = RANK_ANY, .context = WORLD, .size = sizeof call};
    uint32_t n = 0;
    bool over;

    (void)ret;
    ranks->depth[to] = from ? ranks->depth[from] + 1 : 0;
    over = rank || ranks->depth[to] == 2;
    if (ranks->depth[to] == 0) {
        add_context(ranks->op);
        n = 2;
    }
    call.request = over ? 0 : ranks->depth[to] + 1;
    if (over) {
        call.kind = OP_SEND;
        call.flags |= OPF_WENT_ON;
        call.peer = rank ? 0 : 1;
    }
    ranks->op[n] = call;
    *segment = (struct segment){
        .ops = ranks->op, .contents = ranks->content, .count = n ? 2 : 1, .end = over ? SEGMENT_EXIT : SEGMENT_CALL};
    return 0;
}

static enum visit visit(void *data, const struct run *run)
{
    (void)data;
    return run->end == RUN_CLEAN ? VISIT_GOOD : VISIT_BAD;
}

static struct explorer *searched(struct ranks *ranks)
{
    struct runner runner = {.run = run_rank, .data = ranks};
    struct explore_options options = {.ranks = RANKS, .slack = SLACK_INFINITE};
    struct explorer *x = explore_new(&runner, &options);

    assert_int_equal(explore_run(x, visit, NULL).runs, 2);
    search_check_invariants(x);
    return x;
}

static void check_search(const void *x)
{
    search_check_invariants(x);
}

static void count_a_run_twice(void *x)
{
    ((struct explorer *)x)->result.runs++;
}

static void step_from_the_future(void *x)
{
    ((struct explorer *)x)->step.at[2].from = 3;
}

static void forget_a_message(void *data)
{
    struct tree *tree = &((struct explorer *)data)->game.tree;

    for (size_t i = 0; i < tree->reaches.reach.n; i++)
        tree->reaches.reach.at[i].tags = 0;
}

static void mistake_an_operation(void *data)
{
    struct tree *tree = &((struct explorer *)data)->game.tree;

    tree->op.at[1].op = tree->op.at[2].op;
}

static void stand_for_another_rank(void *data)
{
    struct tree *tree = &((struct explorer *)data)->game.tree;

    tree->node.at[2].same = 1;
}

static void lose_a_child(void *data)
{
    struct tree *tree = &((struct explorer *)data)->game.tree;

    tree->node.at[tree->node.at[1].child].child = NODE_NONE; /* its only one */
}

static void merge_more_than_there_is(void *data)
{
    ((struct explorer *)data)->game.tree.merged++;
}

static void test_search(void **state)
{
    struct ranks ranks = {0};
    struct explorer *x = searched(&ranks);

    (void)state;
    expect_caught(count_a_run_twice, check_search, x, "of 3");
    expect_caught(step_from_the_future, check_search, x, "step 2 comes from step 3");
    expect_caught(forget_a_message, check_search, x, "does not know of a message that node 5 sends");
    expect_caught(mistake_an_operation, check_search, x, "is another's");
    expect_caught(stand_for_another_rank, check_search, x, "which cannot stand for it");
    expect_caught(lose_a_child, check_search, x, "is not found from its parent");
    expect_caught(merge_more_than_there_is, check_search, x, "are the same as others");
    explore_free(x);
}

/* A state at rest, and the game it is one of. */
struct stand {
    struct game game;
    struct state *state;
};

static void check_state(const void *data)
{
    const struct stand *stand = data;

    state_check_key(&stand->game, stand->state);
    tight_check_invariants(stand->state->tight);
}

static void post_without_a_request(void *data)
{
    struct stand *stand = data;

    sem_done(stand->state->sem, 1, 1);
}

static void stand_elsewhere(void *data)
{
    ((struct stand *)data)->state->player[1].node = 1;
}

static void go_on_without_waiting(void *data)
{
    ((struct stand *)data)->state->player[0].mode = PLAYER_POLLS;
}

static void cancel_what_waits(void *data)
{
    ((struct stand *)data)->state->player[0].request.at[1].cancelled = true;
}

static void match_unnoticed(void *data)
{
    struct sem *sem = ((struct stand *)data)->state->sem;
    op_id recv = ((struct stand *)data)->state->player[0].request.at[1].id, sends[RANKS];

    assert_int_equal(sem_choices(sem, recv, sends), 2);
    sem_match(sem, sends[0], recv);
}

static void owe_out_of_order(void *data)
{
    struct stand *stand = data;
    struct tight *tight = stand->state->tight;

    tight->owed = debts_add(debts_add(NULL, (struct debt){1, 3, 0}), (struct debt){1, 2, 0});
}

static void owe_the_future(void *data)
{
    struct stand *stand = data;

    stand->state->tight->owed = debts_add(NULL, (struct debt){1, 3, 0});
}

static void test_state(void **state)
{
    struct ranks ranks = {0};
    struct runner runner = {.run = run_rank, .data = &ranks};
    struct stand stand;

    (void)state;
    game_init(&stand.game, &runner, RANKS, 0, (struct spin_limits){0});
    stand.state = state_begin(&stand.game, SLACK_INFINITE);
    stand.state->tight = tight_begin(&stand.game, SLACK_TIGHT);
    check_state(&stand);
    expect_caught(post_without_a_request, check_state, &stand, "operations are known to their ranks");
    expect_caught(stand_elsewhere, check_state, &stand, "rank 1 is at node 1, which is not its own");
    expect_caught(go_on_without_waiting, check_state, &stand, "rank 0 is in mode");
    expect_caught(cancel_what_waits, check_state, &stand, "was cancelled, and matched");
    expect_caught(match_unnoticed, check_state, &stand, "a state has changed since it came to rest");
    expect_caught(owe_out_of_order, check_state, &stand, "are not in their order");
    expect_caught(owe_the_future, check_state, &stand, "a decision is owed that was not made yet");
    state_free_with_tight(&stand.game, stand.state);
    game_release(&stand.game);
}

/* Where they are to be checked, they are, without being asked for. */
#ifdef CHECK_INVARIANTS
static void nothing_more(const void *sem)
{
    sem_clone(sem);
}

static void test_checked(void **state)
{
    struct sem *sem = some_sem();

    (void)state;
    expect_caught(count_a_send_twice, nothing_more, sem, "1 sends to rank 0 are unmatched and it says 2");
    sem_free(sem);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sem),
        cmocka_unit_test(test_kept_queues),
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_state),
#ifdef CHECK_INVARIANTS
        cmocka_unit_test(test_checked),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
