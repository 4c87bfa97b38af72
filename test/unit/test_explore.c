/*
 * The search, on small programs: what they end in, and in how many runs.
 *
 * A rank is a C function that is called again from its start for every segment
 * and fed what its calls returned before: a runner by re-execution.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/deadline.h"
#include "explore/explore.h"
#include "explore/known_states.h"
#include "explore/outline.h"

enum { WORLD = 7, ANY = RANK_ANY, MOST = 64 };

/* ---- programs ---- */

/* What one call returned, as far as programs here look at it. */
struct back {
    bool flag;
    int n, request[MOST], source[MOST], tag[MOST];
    uint64_t value[MOST];
};

struct me {
    int rank, ranks, size;
    const struct back *history;
    int known, at;    /* of the history; how far it was used */
    uint32_t requests;
    int turn;
    bool fresh;       /* the history is used up: operations are new */
    struct op ops[256];
    uint64_t contents[256];
    int nops, ncontents;
    jmp_buf stop;
    enum segment_end end;
    uint64_t slack;
    int parameter;
    uint64_t image; /* all that its future depends on; 0: not known */
};

struct program {
    void (*main)(struct me *);
    int ranks, parameter;
    uint64_t slack;
};

/* A struct op and its tail, in the room of several. */
static void emit(struct me *me, struct op op, const void *tail, size_t bytes)
{
    size_t records = 1 + (bytes + sizeof op - 1) / sizeof op;

    if (!me->fresh)
        return;
    assert_true(me->nops + records < 256);
    op.size = (uint32_t)(records * sizeof op);
    me->ops[me->nops] = op;
    memset(&me->ops[me->nops + 1], 0, (records - 1) * sizeof op);
    if (bytes)
        memcpy(&me->ops[me->nops + 1], tail, bytes);
    me->nops += (int)records;
    me->size++;
}

static void content(struct me *me, uint64_t value)
{
    if (me->fresh)
        me->contents[me->ncontents++] = value;
}

/* The call that was just issued returns, or the segment ends. */
static const struct back *answer(struct me *me)
{
    if (me->at == me->known)
        longjmp(me->stop, 1);
    me->fresh = me->at + 1 == me->known;
    return &me->history[me->at++];
}

static struct op op_of(struct me *me, enum op_kind kind, int peer, int tag, uint32_t flags)
{
    (void)me;
    return (struct op){.kind = (uint8_t)kind,
                       .call = (uint16_t)kind,
                       .flags = flags,
                       .peer = peer,
                       .tag = tag,
                       .context = WORLD,
                       .bytes = 8};
}

static uint32_t isend_value(struct me *me, int to, int tag, uint64_t value)
{
    struct op op = op_of(me, OP_SEND, to, tag, 0);

    op.request = ++me->requests;
    emit(me, op, NULL, 0);
    content(me, value);
    return op.request;
}

static void send_value(struct me *me, int to, int tag, uint64_t value)
{
    struct op op = op_of(me, OP_SEND, to, tag, OPF_BLOCKING);

    if (me->slack == SLACK_INFINITE)
        op.flags |= OPF_WENT_ON;
    else
        op.request = ++me->requests;
    emit(me, op, NULL, 0);
    content(me, value);
    if (me->slack != SLACK_INFINITE)
        answer(me);
}

static void send(struct me *me, int to, int tag)
{
    send_value(me, to, tag, 0);
}

static void ssend(struct me *me, int to, int tag)
{
    struct op op = op_of(me, OP_SEND, to, tag, OPF_BLOCKING | OPF_SYNCHRONOUS);

    op.request = ++me->requests;
    emit(me, op, NULL, 0);
    content(me, 0);
    answer(me);
}

static uint32_t irecv(struct me *me, int from, int tag)
{
    struct op op = op_of(me, OP_RECV, from, tag, 0);

    op.request = ++me->requests;
    emit(me, op, NULL, 0);
    return op.request;
}

static const struct back *recv_all(struct me *me, int from, int tag)
{
    struct op op = op_of(me, OP_RECV, from, tag, OPF_BLOCKING);

    op.request = ++me->requests;
    emit(me, op, NULL, 0);
    return answer(me);
}

static int recv(struct me *me, int from, int tag)
{
    return recv_all(me, from, tag)->source[0];
}

static const struct back *complete(struct me *me, enum op_kind kind, uint32_t flags, int n, const uint32_t *requests,
                                   int place)
{
    struct op op = op_of(me, kind, RANK_NONE, 0, flags);

    op.items = (uint32_t)n;
    op.place = (uint64_t)place;
    emit(me, op, requests, (size_t)n * sizeof *requests);
    return answer(me);
}

static int wait_one(struct me *me, uint32_t request)
{
    return complete(me, OP_WAIT, 0, 1, &request, 0)->source[0];
}

static void wait_all(struct me *me, int n, const uint32_t *requests)
{
    complete(me, OP_WAIT, 0, n, requests, 0);
}

static uint32_t wait_any(struct me *me, int n, const uint32_t *requests)
{
    return (uint32_t)complete(me, OP_WAIT, OPF_ANY, n, requests, 0)->request[0];
}

static int wait_some(struct me *me, int n, const uint32_t *requests)
{
    return complete(me, OP_WAIT, OPF_SOME, n, requests, 0)->n;
}

static bool test(struct me *me, uint32_t request)
{
    return complete(me, OP_TEST, 0, 1, &request, 1)->flag;
}

static int choose(struct me *me, uint32_t n)
{
    struct op op = op_of(me, OP_CHOOSE, RANK_NONE, 0, 0);

    op.items = n;
    emit(me, op, "of a test", sizeof "of a test");
    return answer(me)->source[0];
}

static int probe(struct me *me, int from, int tag)
{
    emit(me, op_of(me, OP_PROBE, from, tag, 0), NULL, 0);
    return answer(me)->source[0];
}

static bool iprobe(struct me *me, int from, int tag)
{
    emit(me, op_of(me, OP_IPROBE, from, tag, 0), NULL, 0);
    return answer(me)->flag;
}

static uint32_t mprobe(struct me *me, int from, int tag)
{
    struct op op = op_of(me, OP_PROBE, from, tag, OPF_TAKE);

    op.request = ++me->requests;
    emit(me, op, NULL, 0);
    answer(me);
    return op.request;
}

/* Starts to receive what was taken. */
static void imrecv(struct me *me, uint32_t request)
{
    struct op op = op_of(me, OP_TAKEN, RANK_NONE, 0, OPF_WENT_ON);

    op.request = request;
    emit(me, op, NULL, 0);
}

static void collective(struct me *me, int root, int from, int until, int call)
{
    struct {
        struct op_coll coll;
        struct op_slice slice;
    } tail = {{.from = (uint32_t)from, .until = (uint32_t)until, .slices = 1}, {SLICE_FOR_ALL, 0, 8}};
    struct op op = op_of(me, OP_COLL, root, me->turn++, OPF_BLOCKING);

    op.call = (uint16_t)call;
    op.request = ++me->requests;
    emit(me, op, &tail, sizeof tail);
    content(me, 0);
    answer(me);
}

static void barrier(struct me *me)
{
    collective(me, RANK_NONE, 0, me->ranks, 100);
}

static void bcast(struct me *me, int root)
{
    collective(me, root, root, me->rank == root ? root : root + 1, 101);
}

static void abort_program(struct me *me)
{
    emit(me, op_of(me, OP_ABORT, RANK_NONE, 1, 0), NULL, 0);
    me->end = SEGMENT_ABORT;
    longjmp(me->stop, 2);
}

/* ---- the runner ---- */

struct known {
    node_id parent;
    struct back back;
};

struct runs {
    struct program program;
    struct known *node;
    size_t cap;
    struct me me;
    struct back history[256];
    int fail_after; /* segments; 0: never */
    uint32_t effort; /* of each segment */
    bool shares_files;
    uint64_t stop_after;
    uint64_t withdraws_after; /* so many runs: a node is not what it was taken for; 0: never */
    uint64_t visited, scouted; /* of these, runs that were made ahead of the search */
    uint64_t asked, asked_first; /* segments so far, and when the first run was told */
    struct explorer *x;
    struct completeness complete_then; /* when the last deadlock was told, but for those with less slack */
    struct decision last[16];
    size_t decisions;
    uint64_t sources[128]; /* by run: from whom messages were received, as digits */
    bool flawed;  /* all runs are thought to be */
    uint32_t bad; /* step of the last run that did not end well */
    size_t buffered, unbuffered;
    size_t complaints;   /* how many complaints there were */
    uint64_t complained; /* the set of their tags */
};

static struct back copy_ret(const struct ret *ret)
{
    struct back back = {.flag = ret->flag, .n = (int)ret->items};

    for (int i = 0; i < back.n; i++) {
        const struct answer_item *item = &ret->item[i];

        back.request[i] = (int)item->request;
        back.source[i] = item->source;
        back.tag[i] = item->message ? item->message->tag : 0;
        back.value[i] = item->content;
    }
    return back;
}

static void play(struct me *me, void (*program)(struct me *))
{
    rank_t member[MOST];
    struct {
        struct op_group group;
        rank_t member[MOST];
    } tail = {.group = {.members = (uint32_t)me->ranks, .first_group = (uint32_t)me->ranks}};

    for (int i = 0; i < me->ranks; i++)
        member[i] = i;
    memcpy((char *)&tail + sizeof tail.group, member, sizeof member);
    me->end = SEGMENT_CALL;
    if (setjmp(me->stop))
        return;
    emit(me, (struct op){.kind = OP_CONTEXT, .context = WORLD}, &tail,
         sizeof tail.group + (size_t)me->ranks * sizeof *member);
    program(me);
    me->end = SEGMENT_EXIT;
}

static int run_segment(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to,
                       struct segment *segment)
{
    struct runs *runs = data;
    struct me *me = &runs->me;
    int n = 0, k;

    if (runs->fail_after && --runs->fail_after == 0)
        return -1;
    runs->asked++;
    if (to >= runs->cap) {
        runs->cap = 2 * (size_t)to + 64;
        runs->node = realloc(runs->node, runs->cap * sizeof *runs->node);
    }
    runs->node[to].parent = from;
    if (ret)
        runs->node[to].back = copy_ret(ret);
    for (node_id id = to; runs->node[id].parent; id = runs->node[id].parent)
        n++;
    assert_true(n < 256);
    k = n;
    for (node_id id = to; runs->node[id].parent; id = runs->node[id].parent)
        runs->history[--k] = runs->node[id].back;
    memset(me, 0, offsetof(struct me, ops));
    me->rank = rank;
    me->ranks = runs->program.ranks;
    me->parameter = runs->program.parameter;
    me->slack = runs->program.slack;
    me->history = runs->history;
    me->known = n;
    me->fresh = n == 0;
    me->nops = me->ncontents = 0;
    play(me, runs->program.main);
    *segment = (struct segment){.ops = me->ops, .count = (uint32_t)me->size, .contents = me->contents, .end = me->end};
    segment->imaged = me->image != 0;
    segment->image = map_key2((uint64_t)rank, me->image);
    segment->effort = runs->effort;
    return 0;
}

static bool shares_files(void *data)
{
    const struct runs *runs = data;

    return runs->shares_files;
}

static node_id withdrawn(void *data)
{
    struct runs *runs = data;
    bool now = runs->withdraws_after && runs->visited >= runs->withdraws_after;

    runs->withdraws_after = now ? 0 : runs->withdraws_after;
    return now ? 1 : NODE_NONE;
}

static enum visit on_run(void *data, const struct run *run)
{
    struct runs *runs = data;
    const struct account *account = explore_account(runs->x, run);

    if (runs->visited++ == 0)
        runs->asked_first = runs->asked;
    runs->scouted += run->scouted;
    runs->decisions = account->decisions < 16 ? account->decisions : 16;
    runs->sources[runs->visited % 128] = 0;
    for (size_t i = 0; i < runs->decisions; i++) {
        runs->last[i] = account->decision[i];
        runs->sources[runs->visited % 128] = runs->sources[runs->visited % 128] * 10 + (uint64_t)account->decision[i].source;
    }
    if (run->end != RUN_CLEAN)
        runs->bad = run->step;
    if (run->end == RUN_DEADLOCK && !run->less_slack)
        runs->complete_then = explore_complete_so_far(runs->x);
    runs->buffered = account->buffered;
    runs->unbuffered = account->unbuffered;
    if (runs->visited == runs->stop_after)
        return VISIT_STOP;
    return run->end != RUN_CLEAN ? VISIT_BAD : runs->flawed ? VISIT_FLAWED + 1 : VISIT_GOOD;
}

static void note_complaints(struct runs *runs)
{
    runs->complaints = explore_complaints(runs->x);
    for (size_t i = 0; i < runs->complaints; i++) {
        rank_t rank;
        const struct op *op = explore_complaint(runs->x, i, &rank);

        assert_int_equal(op->kind, OP_COMPLAINT);
        assert_int_equal(rank, 0);
        runs->complained |= UINT64_C(1) << op->tag;
    }
}

static struct explore_result explore_with(struct runs *runs, struct explore_options options)
{
    struct runner runner = {.run = run_segment, .shares_files = shares_files, .withdrawn = withdrawn, .data = runs};
    struct explorer *x;
    struct explore_result result;

    options.ranks = runs->program.ranks;
    options.slack = runs->program.slack;
    options.ahead = 120;
    options.patience = 130;
    x = runs->x = explore_new(&runner, &options);
    result = explore_run(x, on_run, runs);
    note_complaints(runs);
    explore_free(x);
    free(runs->node);
    runs->node = NULL;
    runs->cap = 0;
    /* an end that was told ahead is told once more, if the search comes there */
    if (!result.left || !runs->scouted)
        assert_int_equal(result.runs + result.slack_deadlocks, runs->visited - runs->scouted);
    return result;
}

static struct runs last_runs;

/* With options of its own; what else was seen is in last_runs. */
static struct explore_result explore_how(void (*program)(struct me *), int ranks, struct explore_options options)
{
    memset(&last_runs, 0, sizeof last_runs);
    last_runs.program = (struct program){program, ranks, 0, SLACK_INFINITE};
    return explore_with(&last_runs, options);
}

static struct explore_result explore_slack(void (*program)(struct me *), int ranks, int parameter, uint64_t slack)
{
    static struct runs runs;

    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){program, ranks, parameter, slack};
    return explore_with(&runs, (struct explore_options){0});
}

static struct explore_result explore(void (*program)(struct me *), int ranks, int parameter)
{
    return explore_slack(program, ranks, parameter, SLACK_INFINITE);
}

static void expect(struct explore_result result, uint64_t runs, uint64_t clean, uint64_t deadlocks)
{
    assert_int_equal(result.left, 0);
    assert_int_equal(result.runs, runs);
    assert_int_equal(result.by_end[RUN_CLEAN], clean);
    assert_int_equal(result.by_end[RUN_DEADLOCK], deadlocks);
}

/* ---- tests ---- */

static void star(struct me *me)
{
    uint32_t r[MOST];

    if (me->rank) {
        send(me, 0, 0);
        return;
    }
    for (int i = 1; i < me->ranks; i++) {
        if (me->parameter)
            r[i] = irecv(me, ANY, 0);
        else
            recv(me, ANY, 0);
    }
    if (me->parameter)
        wait_all(me, me->ranks - 1, r + 1);
}

static void test_star(void **state)
{
    uint64_t runs = 1, nodes = 1;

    (void)state;
    for (int senders = 1; senders <= 5; senders++) {
        struct explore_result result = explore(star, senders + 1, 0);

        runs *= (uint64_t)senders;
        nodes = nodes * (uint64_t)senders + 1; /* histories of the receiver: the sum of s!/k! */
        expect(result, runs, runs, 0);
        assert_int_equal(result.again + result.whole, 0);
        assert_int_equal(result.segments, nodes + (uint64_t)senders);
        assert_int_equal(explore_slack(star, senders + 1, 0, SLACK_ZERO).runs, runs);
        result = explore(star, senders + 1, 1);
        expect(result, runs, runs, 0);
        assert_int_equal(result.segments, 1 + runs + (uint64_t)senders);
    }
}

static void dtg(struct me *me)
{
    switch (me->rank) {
    case 0:
        recv(me, ANY, 0);
        send(me, 3, 0);
        recv(me, ANY, 0);
        break;
    case 1:
        send(me, 0, 0);
        send(me, 3, 0);
        break;
    case 2:
        recv(me, ANY, 0);
        send(me, 0, 0);
        break;
    case 3:
        recv(me, 1, 0);
        recv(me, 0, 0);
        break;
    case 4:
        send(me, 2, 0);
        break;
    }
}

static void test_dtg(void **state)
{
    (void)state;
    expect(explore(dtg, 5, 0), 2, 2, 0);
    expect(explore_slack(dtg, 5, 0, SLACK_ZERO), 2, 1, 1);
}

/* The receive is pending over the barrier: it may take what was sent behind it. */
static void crooked_barrier(struct me *me)
{
    if (me->rank == 0) {
        send(me, 1, 0);
        barrier(me);
    } else if (me->rank == 1) {
        uint32_t r = irecv(me, ANY, 0);

        barrier(me);
        if (wait_one(me, r) == 2)
            recv(me, 2, 0); /* nothing more comes from there */
        else
            recv(me, 2, 0);
    } else {
        barrier(me);
        send(me, 1, 0);
    }
}

static void test_crooked_barrier(void **state)
{
    (void)state;
    expect(explore(crooked_barrier, 3, 0), 2, 1, 1);
}

/* parameter receivers, each with two senders of its own. */
static void independent(struct me *me)
{
    int k = me->parameter;

    if (me->rank < k) {
        recv(me, ANY, 0);
        recv(me, ANY, 0);
    } else {
        send(me, (me->rank - k) / 2, 0);
    }
}

static void test_independent(void **state)
{
    (void)state;
    for (int k = 1; k <= 6; k++) {
        struct explore_result result = explore(independent, 3 * k, k);

        expect(result, UINT64_C(1) << k, UINT64_C(1) << k, 0);
        assert_int_equal(result.segments, 7 * k); /* 5 histories of each receiver, 1 of each sender */
        assert_int_equal(result.whole, 0);
    }
}

static void head_to_head(struct me *me)
{
    send(me, 1 - me->rank, 0);
    recv(me, 1 - me->rank, 0);
}

static void test_head_to_head(void **state)
{
    (void)state;
    expect(explore(head_to_head, 2, 0), 1, 1, 0);
    expect(explore_slack(head_to_head, 2, 0, SLACK_ZERO), 1, 0, 1);
    expect(explore_slack(head_to_head, 2, 0, 9), 1, 1, 0);
    expect(explore_slack(head_to_head, 2, 0, 8), 1, 0, 1);
}

/* ---- a rank asks which of several alternatives it is to be ---- */

/* Of three alternatives one waits for what nobody sends; the others receive from whoever comes. */
static void alternatives(struct me *me)
{
    if (me->rank == 0) {
        int way = choose(me, 3);

        if (way < 2)
            recv(me, RANK_ANY, 0);
        recv(me, way < 2 ? RANK_ANY : 1, way < 2 ? 0 : 9);
        return;
    }
    if (me->parameter)
        choose(me, 1);
    send(me, 0, 0);
}

static void test_alternatives(void **data)
{
    (void)data;
    expect(explore(alternatives, 3, 0), 5, 4, 1);
    expect(explore(alternatives, 3, 1), 5, 4, 1);
}

static void both_choose(struct me *me)
{
    int way = choose(me, 2);

    send(me, !me->rank, way);
    recv(me, !me->rank, TAG_ANY);
}

static void test_both_choose(void **data)
{
    (void)data;
    expect(explore(both_choose, 2, 0), 4, 4, 0);
}

static int choose_bound(struct me *me, uint32_t n, uint32_t flags, int turn)
{
    struct op op = op_of(me, OP_CHOOSE, RANK_NONE, turn, flags);

    op.items = n;
    op.count = 3;
    emit(me, op, "of a test", sizeof "of a test");
    return answer(me)->source[0];
}

/* Each of three ranks fails at one of two places, or none does: seven runs. */
static void one_fails(struct me *me)
{
    bool failed = false;

    for (int i = 0; i < 2; i++)
        failed = choose_bound(me, 2, OPF_ONCE, 0) == 1 || failed;
    if (me->rank == 0)
        for (int i = 1; i < 3; i++)
            recv(me, i, TAG_ANY);
    else
        send(me, 0, failed);
}

static void test_one_fails(void **data)
{
    (void)data;
    expect(explore(one_fails, 3, 0), 7, 7, 0);
}

/* All choose the same one of three, twice: nine runs.  If they did not, messages would not meet. */
static void common_choice(struct me *me)
{
    for (int i = 0; i < 2; i++) {
        int way = choose_bound(me, 3, OPF_COMMON, i);

        if (me->rank == 0)
            for (int from = 1; from < 3; from++)
                recv(me, from, way);
        else
            send(me, 0, way);
    }
}

static void test_common_choice(void **data)
{
    (void)data;
    expect(explore(common_choice, 3, 0), 9, 9, 0);
}

static void synchronous(struct me *me)
{
    if (me->rank == 0) {
        ssend(me, 1, 0);
        recv(me, 1, 0);
    } else {
        recv(me, 0, 0);
        ssend(me, 0, 0);
    }
}

static void test_synchronous(void **state)
{
    (void)state;
    expect(explore(synchronous, 2, 0), 1, 1, 0);
}

static void any_of_three(struct me *me)
{
    uint32_t r[3];

    if (me->rank) {
        send(me, 0, 0);
        return;
    }
    for (int i = 0; i < 3; i++)
        r[i] = irecv(me, i + 1, 0);
    if (me->parameter == 0) {
        uint32_t first = wait_any(me, 3, r);

        for (int i = 0; i < 3; i++)
            if (r[i] != first)
                wait_one(me, r[i]);
    } else {
        wait_some(me, 3, r);
    }
}

static void test_select(void **state)
{
    (void)state;
    expect(explore(any_of_three, 4, 0), 3, 3, 0);
    expect(explore(any_of_three, 4, 1), 7, 7, 0);
}

/* Deadlocks iff Test says no. */
static void needs_no(struct me *me)
{
    if (me->rank == 0) {
        send(me, 1, 0);
    } else {
        uint32_t r = irecv(me, 0, 0);

        if (!test(me, r))
            recv(me, 0, 1);
    }
}

static void test_poll_says_no(void **state)
{
    (void)state;
    expect(explore(needs_no, 2, 0), 2, 1, 1);
}

static void polls(struct me *me)
{
    uint32_t r;

    if (me->rank == 0) {
        for (int i = 0; i < me->parameter; i++)
            send(me, 1, 0);
        return;
    }
    r = irecv(me, 0, 0);
    while (!test(me, r))
        ;
    while (!iprobe(me, 0, 0))
        ;
    recv(me, 0, 0);
}

/* Loops of polls add no runs; one that nothing ends is a livelock. */
static void test_spin(void **state)
{
    struct explore_result result = explore(polls, 2, 2);

    (void)state;
    expect(result, 1, 1, 0);
    assert_int_equal(result.spins, 2);
    result = explore(polls, 2, 1);
    assert_int_equal(result.runs, 1);
    assert_int_equal(result.by_end[RUN_LIVELOCK], 1);
}

/* Gives up after some polls in vain: each of them is a decision. */
static void counts(struct me *me)
{
    uint32_t r;

    if (me->rank == 0) {
        send(me, 1, 0);
        return;
    }
    r = irecv(me, 0, 0);
    for (int i = 0; i < me->parameter; i++)
        if (test(me, r))
            return;
    recv(me, 0, 1);
}

static void test_counted_polls(void **state)
{
    (void)state;
    expect(explore(counts, 2, 3), 4, 3, 1);
    expect(explore(counts, 2, 10), 11, 10, 1);
    /* Told yes in the first round, or in the last one, or never. */
    expect(explore(counts, 2, 100), 3, 2, 1);
    /* Too patient to be told from one that never gives up. */
    expect(explore(counts, 2, 125), 1, 1, 0);
}

/* The root of a broadcast does not wait for the others (M5). */
static void bcast_then_send(struct me *me)
{
    if (me->rank == 0) {
        bcast(me, 0);
        send(me, 1, 0);
    } else {
        recv(me, 0, 0);
        bcast(me, 0);
    }
}

static void test_bcast_is_no_barrier(void **state)
{
    (void)state;
    expect(explore(bcast_then_send, 2, 0), 1, 1, 0);
}

static void order_of_collectives(struct me *me)
{
    if (me->rank == 0) {
        barrier(me);
        bcast(me, 0);
    } else {
        bcast(me, 0);
        barrier(me);
    }
}

static void test_mismatch(void **state)
{
    struct explore_result result = explore(order_of_collectives, 2, 0);

    (void)state;
    assert_int_equal(result.runs, 1);
    assert_int_equal(result.by_end[RUN_MISMATCH], 1);
}

static void probing(struct me *me)
{
    if (me->rank) {
        send(me, 0, 0);
    } else if (me->parameter == 0) {
        int first = probe(me, ANY, 0);

        recv(me, first, 0);
        recv(me, 3 - first, 0);
    } else if (me->parameter == 1) {
        probe(me, ANY, 0);
        recv(me, ANY, 0); /* need not be the one it saw */
        recv(me, ANY, 0);
    } else {
        uint32_t first = mprobe(me, ANY, 0), second = mprobe(me, ANY, 0);

        imrecv(me, second);
        wait_one(me, second);
        imrecv(me, first);
        wait_one(me, first);
    }
}

/* M6: 1 sends its second message when the first is received, for which 0 must not wait for the second. */
static void taking(struct me *me)
{
    uint32_t first;

    if (me->rank) {
        ssend(me, 0, 0);
        send(me, 0, 1);
        return;
    }
    first = mprobe(me, 1, 0);
    if (me->parameter)
        imrecv(me, first);
    recv(me, 1, 1);
    if (!me->parameter)
        imrecv(me, first);
    wait_one(me, first);
}

static void test_taking(void **state)
{
    (void)state;
    expect(explore(taking, 2, 0), 1, 0, 1);
    expect(explore(taking, 2, 1), 1, 1, 0);
}

static void test_probe(void **state)
{
    (void)state;
    expect(explore(probing, 3, 0), 2, 2, 0);
    expect(explore(probing, 3, 1), 4, 4, 0);
    expect(explore(probing, 3, 2), 2, 2, 0);
}

/* What 0 hears decides what 3 is told; who told is always 0. */
static void by_content(struct me *me)
{
    if (me->rank == 0) {
        int first = recv(me, ANY, 0);

        recv(me, ANY, 0);
        send_value(me, 3, 0, (uint64_t)first);
    } else if (me->rank < 3) {
        send(me, 0, 0);
    } else if (recv_all(me, 0, 0)->value[0] == 2) {
        recv(me, 1, 1);
    }
}

static void test_content(void **state)
{
    (void)state;
    expect(explore(by_content, 4, 0), 2, 1, 1);
}

/* Only the run in which 2 comes first shows a send that fits the second receive. */
static void late_rival(struct me *me)
{
    if (me->rank == 0) {
        if (recv(me, ANY, 0) == 2)
            send(me, 3, 0);
        recv(me, ANY, 0);
    } else if (me->rank == 1 || me->rank == 2) {
        send(me, 0, 0);
    } else {
        recv(me, 0, 0);
        send(me, 0, 0);
    }
}

static void test_late_rival(void **state)
{
    (void)state;
    expect(explore(late_rival, 4, 0), 3, 2, 1);
}

static void aborts(struct me *me)
{
    if (me->rank == 0) {
        if (recv(me, ANY, 0) == 2)
            abort_program(me);
        recv(me, ANY, 0);
    } else {
        send(me, 0, 0);
    }
}

static void test_abort(void **state)
{
    struct explore_result result = explore(aborts, 3, 0);

    (void)state;
    expect(result, 2, 1, 0);
    assert_int_equal(result.by_end[RUN_ABORT], 1);
}

static void test_bounds(void **state)
{
    static struct runs runs;
    struct explore_result result;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){star, 6, 0, SLACK_INFINITE};
    result = explore_with(&runs, (struct explore_options){.max_runs = 10});
    assert_int_equal(result.runs, 10);
    assert_int_equal(result.left, LEFT_RUNS);

    runs.visited = 0;
    result = explore_with(&runs, (struct explore_options){.max_runs = 120});
    assert_int_equal(result.runs, 120);
    assert_int_equal(result.left, 0);

    runs.visited = 0;
    runs.stop_after = 3;
    result = explore_with(&runs, (struct explore_options){0});
    assert_int_equal(result.runs, 3);
    assert_int_equal(result.left, LEFT_STOPPED);

    runs.visited = runs.stop_after = 0;
    runs.fail_after = 50;
    result = explore_with(&runs, (struct explore_options){0});
    assert_int_equal(result.left, LEFT_RUNNER);

    runs.visited = 0;
    runs.fail_after = 0;
    result = explore_with(&runs, (struct explore_options){.seconds = 1e-9});
    assert_int_equal(result.left, LEFT_TIME);
}

static void test_decisions(void **state)
{
    static struct runs runs;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){star, 3, 0, SLACK_INFINITE};
    runs.stop_after = 1;
    explore_with(&runs, (struct explore_options){0});
    assert_int_equal(runs.decisions, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(runs.last[i].kind, DECIDED_MATCH);
        assert_int_equal(runs.last[i].rank, 0);
        assert_int_equal(runs.last[i].op, 1 + i); /* 0 declares the communicator */
        assert_int_equal(runs.last[i].message, 1);
    }
    assert_int_equal(runs.last[0].source + runs.last[1].source, 3);

    runs.program = (struct program){any_of_three, 4, 1, SLACK_INFINITE};
    runs.visited = 0;
    explore_with(&runs, (struct explore_options){0});
    assert_int_equal(runs.decisions, 1);
    assert_int_equal(runs.last[0].kind, DECIDED_SOME);
    assert_int_equal(runs.last[0].op, 4);
    assert_int_equal(runs.last[0].set, 7);

    runs.program = (struct program){needs_no, 2, 0, SLACK_INFINITE};
    runs.visited = runs.stop_after = 0;
    explore_with(&runs, (struct explore_options){0});
    assert_int_equal(runs.decisions, 1);
    assert_int_equal(runs.last[0].kind, DECIDED_NO);
    assert_int_equal(runs.last[0].rank, 1);
}

/* Every run can be had again by its decisions. */
static enum visit replay_run(void *data, const struct run *run)
{
    struct runs **both = data, *again = both[1];
    const struct account *account = explore_account(both[0]->x, run);
    struct runner runner = {.run = run_segment, .data = again};
    struct explore_options options = {.ranks = again->program.ranks, .slack = again->program.slack,
                                      .places = account->places, .place = account->place};
    struct explorer *x = again->x = explore_new(&runner, &options);

    again->visited = 0;
    assert_int_equal(explore_replay(x, (struct replay_manner){0}, account->decisions, account->decision, on_run, again), 0);
    assert_int_equal(again->visited, 1);
    assert_int_equal(again->decisions, account->decisions);
    explore_free(x);
    return VISIT_GOOD;
}

static void test_replay(void **state)
{
    static struct runs runs, again;
    struct runner runner = {.run = run_segment, .data = &runs};
    struct explore_options options = {.ranks = 4, .slack = SLACK_INFINITE};
    struct decision wrong = {.kind = DECIDED_MATCH, .rank = 0, .op = 1, .source = 1, .message = 9};
    struct explorer *x;

    (void)state;
    memset(&runs, 0, sizeof runs);
    memset(&again, 0, sizeof again);
    runs.program = again.program = (struct program){late_rival, 4, 0, SLACK_INFINITE};
    x = runs.x = explore_new(&runner, &options);
    assert_int_equal(explore_run(x, replay_run, (struct runs *[]){&runs, &again}).runs, 3);
    explore_free(x);
    x = explore_new(&runner, &options);
    assert_int_equal(explore_replay(x, (struct replay_manner){0}, 1, &wrong, on_run, &runs), -1);
    explore_free(x);
    free(runs.node);
    free(again.node);
}

static void cancel(struct me *me, uint32_t request)
{
    emit(me, (struct op){.kind = OP_CANCEL, .flags = OPF_WENT_ON, .request = request}, NULL, 0);
}

/* Cancelled before or after the message came: both, and who sent it knows nothing. */
static void cancels(struct me *me)
{
    uint32_t r;

    if (me->rank) {
        send(me, 0, 0);
        return;
    }
    r = irecv(me, 1, 0);
    cancel(me, r);
    if (wait_one(me, r) == RANK_NONE)
        recv(me, 1, 0);
}

static void test_cancel(void **state)
{
    struct explore_result result = explore(cancels, 2, 0);

    (void)state;
    expect(result, 2, 2, 0);
    assert_int_equal(result.anew, 1);
}

/* So long that its first run is made ahead. */
static void cancels_late(struct me *me)
{
    for (int i = 0; i < 75; i++) {
        if (me->rank)
            send(me, 0, 0);
        recv(me, !me->rank, 0);
        if (!me->rank)
            send(me, 1, 0);
    }
    cancels(me);
}

/* That something is cancelled is learned by the run that is made ahead; then it is made once more, and told at once. */
static void test_cancel_in_long_run(void **state)
{
    struct explore_result result = explore_how(cancels_late, 2, (struct explore_options){.scout = true});

    (void)state;
    expect(result, 2, 2, 0);
    assert_int_equal(result.anew, 1);
    assert_int_equal(last_runs.scouted, 1);
}

/* The first message is taken, or it is withdrawn and the second is, or none: four runs, with what becomes of the second. */
static void cancels_both(struct me *me)
{
    if (me->rank)
        for (int i = 0; i < 2; i++)
            cancel(me, isend_value(me, 0, 0, 1));
    else
        recv(me, ANY, 0);
}

static void test_cancel_both(void **state)
{
    (void)state;
    expect(explore(cancels_both, 2, 0), 4, 3, 1);
}

/* Many requests at once, never waited for: only their matches are decisions. */
static void never_waited(struct me *me)
{
    if (me->rank == 0)
        for (int i = 0; i < 2; i++)
            irecv(me, ANY, 0);
    else
        wait_one(me, isend_value(me, 0, 0, 1));
}

static void test_never_waited(void **state)
{
    (void)state;
    expect(explore(never_waited, 4, 0), 6, 6, 0);
}

/* The master forgets in which order it heard from the others. */
static void forgetful_star(struct me *me)
{
    uint64_t heard = 0;

    if (me->rank) {
        send(me, 0, 0);
        return;
    }
    for (int i = 1; i < me->ranks; i++) {
        me->image = 1 + heard;
        heard |= UINT64_C(1) << recv(me, ANY, 0);
    }
}

/* The same, but it complains of whom it heard from. */
static void complaining_star(struct me *me)
{
    uint64_t heard = 0;

    if (me->rank) {
        send(me, 0, 0);
        return;
    }
    for (int i = 1; i < me->ranks; i++) {
        me->image = 1 + heard;
        rank_t from = recv(me, ANY, 0);
        heard |= UINT64_C(1) << from;
        emit(me, (struct op){.kind = OP_COMPLAINT, .flags = OPF_WENT_ON, .tag = from}, NULL, 0);
    }
}

/* A communicator is called by whom was heard last. */
static void naming_star(struct me *me)
{
    if (me->rank) {
        send(me, 0, 0);
        return;
    }
    for (int i = 1; i < me->ranks; i++) {
        char name[] = {(char)('0' + recv(me, ANY, 0)), 0};
        struct op op = {.kind = OP_CONTEXT_NAME, .flags = OPF_WENT_ON, .context = WORLD, .items = sizeof name};

        emit(me, op, name, sizeof name);
    }
}

/* The name that it had in the end of this run, and the last operation of a trail by its number. */
static enum visit see_names(void *data, const struct run *run)
{
    struct runs *runs = data;
    const struct account *account = explore_account(runs->x, run);
    const struct trail *trail = &account->trail[0];
    const struct op *name = explore_naming(runs->x, 0, OP_CONTEXT_NAME, WORLD);
    uint32_t last = trail->until[trail->n - 1] - 1;

    assert_non_null(name);
    assert_int_equal(*(const char *)op_tail(name), '0' + account->decision[account->decisions - 1].source);
    assert_ptr_equal(explore_nth_op(runs->x, trail, last), name);
    assert_int_equal(explore_nth_op(runs->x, trail, 0)->kind, OP_CONTEXT);
    assert_null(explore_nth_op(runs->x, trail, last + 1));
    assert_null(explore_naming(runs->x, 1, OP_CONTEXT_NAME, WORLD));
    assert_null(explore_naming(runs->x, 0, OP_TYPE, WORLD));
    runs->visited++;
    return VISIT_GOOD;
}

static void test_names(void **state)
{
    static struct runs runs;
    struct runner runner = {.run = run_segment, .data = &runs};
    struct explore_options options = {.ranks = 4, .slack = SLACK_INFINITE};

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){naming_star, 4, 0, SLACK_INFINITE};
    runs.x = explore_new(&runner, &options);
    explore_run(runs.x, see_names, &runs);
    assert_int_equal(runs.visited, 6);
    explore_free(runs.x);
    free(runs.node);
}

/* One for each segment, not for each run; where histories are one, it is the same complaint. */
static void test_complaints(void **state)
{
    struct explore_result result;

    (void)state;
    result = explore_how(complaining_star, 5, (struct explore_options){0});
    assert_int_equal(result.runs, 24);
    assert_int_equal(last_runs.complaints, 4 + 12 + 24 + 24);
    assert_int_equal(last_runs.complained, 2 + 4 + 8 + 16);
    result = explore_how(complaining_star, 5, (struct explore_options){.merge = true});
    assert_true(result.merged > 0 && result.runs < 24);
    assert_int_equal(last_runs.complaints, 4 + 12 + 12 + 4);
    assert_int_equal(last_runs.complained, 2 + 4 + 8 + 16);
}

static void test_merge(void **state)
{
    struct explore_result result;

    (void)state;
    result = explore_how(forgetful_star, 5, (struct explore_options){0});
    assert_int_equal(result.runs, 24);
    assert_int_equal(result.merged, 0);
    assert_float_equal(result.stood_for, 24, 0);
    result = explore_how(forgetful_star, 5, (struct explore_options){.merge = true});
    assert_int_equal(result.runs, 4);    /* by who was last */
    assert_int_equal(result.states, 19); /* 15 sets, short of all, and the ends */
    assert_float_equal(result.stood_for, 24, 0);
    assert_false(result.at_most);
    result = explore_how(forgetful_star, 5, (struct explore_options){.merge = true, .any_slack = true});
    assert_int_equal(result.runs, 4);
    assert_int_equal(result.slack_deadlocks, 0);
}

/* Who polls in vain and forgets it is where it was. */
static void forgetful_poll(struct me *me)
{
    if (me->rank) {
        recv(me, ANY, 0);
        send(me, 0, 0);
        return;
    }
    me->image = 1;
    while (!iprobe(me, 1, 0))
        me->image = 1;
    me->image = 2;
    recv(me, 1, 0);
}

static void test_merge_polls(void **state)
{
    struct explore_result result;

    (void)state;
    result = explore_how(forgetful_poll, 2, (struct explore_options){.merge = true});
    assert_int_equal(result.runs, 1);
    assert_int_equal(result.by_end[RUN_LIVELOCK], 1);
    assert_int_equal(result.spins, 0); /* it is seen, not assumed */
    result = explore_how(forgetful_poll, 2, (struct explore_options){0});
    assert_int_equal(result.by_end[RUN_LIVELOCK], 1);
    assert_int_equal(result.spins, 1);
}

/* Polls one thing for so long that it is taken to spin, then, if that fails, two in turn. */
static void polls_more_later(struct me *me)
{
    if (me->rank == 0) {
        recv(me, 1, 1);
        recv(me, 1, 0);
        send(me, 1, 0);
        return;
    }
    uint32_t in = irecv(me, 0, 0), out = isend_value(me, 0, 0, 1);
    bool came = false;
    for (int i = 0; i < 40 && !came; i++)
        came = test(me, in);
    while (!came && !test(me, out))
        came = test(me, in);
    send(me, 0, 1);
    if (!came)
        wait_one(me, in);
}

static void test_polls_more_later(void **state)
{
    struct explore_result result = explore(polls_more_later, 2, 0);

    (void)state;
    expect(result, 1, 1, 0);
}

/* Rank 1 does a piece of its own work after each poll in vain, and does not answer if none is left. */
static void works_between_polls(struct me *me)
{
    int left = 20;

    if (me->rank == 0) {
        send(me, 1, 0);
        recv(me, 1, 1);
        return;
    }
    while (!iprobe(me, 0, 0)) {
        left -= left > 0;
        me->image++;
    }
    me->image = left ? 1000 : 2000;
    recv(me, 0, 0);
    if (left)
        send(me, 0, 1);
}

/* That it is told yes after it has finished is tried only in later rounds: 1, 2, 4 and so on, up to 120, and 19 and 20. */
static void test_later_rounds(void **state)
{
    struct explore_options options = {.merge = true};

    (void)state;
    expect(explore_how(works_between_polls, 2, options), 1, 1, 0);
    options.later_rounds = true;
    expect(explore_how(works_between_polls, 2, options), 2, 1, 1);
    options.any_slack = true;
    expect(explore_how(works_between_polls, 2, options), 2, 1, 1);
}

/* Just before the time is over nothing of that is begun, and the search has come to its end all the same. */
static void test_later_rounds_leave_time(void **state)
{
    struct explore_result result;

    (void)state;
    do { /* on a busy machine it may be over by now */
        deadline_begin(1);
        while (!deadline_is_imminent())
            usleep(1000);
        result = explore_how(works_between_polls, 2, (struct explore_options){.merge = true, .later_rounds = true});
    } while (deadline_is_over());
    deadline_begin(0);
    expect(result, 1, 1, 0);
}

/* All poll for what the last one sends, who polls in vain before.  They count their polls, and forget that when something has come. */
static void waits_for_last(struct me *me)
{
    rank_t last = me->ranks - 1;

    me->image = 1000 * (uint64_t)(me->rank + 1);
    if (me->rank == last) {
        for (int i = 0; i < 6; i++, me->image++)
            assert_false(iprobe(me, 0, 0));
        for (rank_t r = 0; r < last; r++)
            send(me, r, 0);
        return;
    }
    while (!iprobe(me, last, 0))
        me->image++;
    me->image = 1 + (uint64_t)me->rank;
    recv(me, last, 0);
}

/* Before polls are followed for long, a run is made ahead: to tell of it takes as many noes as the last one needs, and not as many as others could be told. */
static void test_scout_before_polls(void **state)
{
    enum { RANKS = 6, FEW = 100 };
    struct explore_result result = explore_how(waits_for_last, RANKS, (struct explore_options){.merge = true}), ahead;

    (void)state;
    expect(result, 1, 1, 0);
    assert_true(last_runs.asked_first > FEW);
    ahead = explore_how(waits_for_last, RANKS, (struct explore_options){.merge = true, .scout = true});
    expect(ahead, 1, 1, 0);
    assert_int_equal(last_runs.scouted, 1);
    assert_true(last_runs.asked_first < FEW);
    assert_int_equal(ahead.anew, result.anew);
    assert_in_range(ahead.segments, result.segments, result.segments + RANKS); /* what the other one follows is followed later */
}

/* A receive that stands behind one for any tag takes a message that is not the first of its sender, once the other has taken that of somebody else. */
static void behind_any_tag(struct me *me)
{
    uint32_t any, named;

    if (me->rank) {
        send(me, 0, me->rank == 1 ? 3 : 9);
        if (me->rank == 1)
            send(me, 0, 5);
        return;
    }
    any = irecv(me, RANK_ANY, TAG_ANY);
    named = irecv(me, 1, 5);
    wait_one(me, any);
    wait_one(me, named);
    recv(me, RANK_ANY, TAG_ANY);
}

static void test_behind_any_tag(void **state)
{
    (void)state;
    expect(explore(behind_any_tag, 3, 0), 2, 2, 0);
}

/* Counts its polls, and gives up in the end.  From whom it heard first decides where it begins to count: it comes to be the same some polls later. */
static void polls_counted_from(struct me *me)
{
    uint64_t asked;

    if (me->rank == 3) {
        send(me, 0, 1);
        recv(me, 0, 2);
    } else if (me->rank) {
        send(me, 0, 0);
    } else {
        asked = recv(me, ANY, 0) == 1 ? (uint64_t)me->parameter : 0;
        recv(me, ANY, 0);
        do
            me->image = 1 + asked;
        while (!iprobe(me, 3, 1) && ++asked < 100);
        me->image = 1000;
        send(me, 3, 2);
        recv(me, 3, 1);
    }
}

/*
 * Polls that were followed once keep their head: else a state that is reached again would be another one, which invariants notice.  Of those before, each is a decision, unless
 * there are so many that they are a round.
 */
static void test_polls_counted_from(void **state)
{
    static const uint32_t lateness[] = {0, 4};
    static struct runs runs;

    (void)state;
    for (int from = 1; from < 40; from++)
        for (int bounded = 0; bounded < 2; bounded++) {
            struct explore_result result;

            memset(&runs, 0, sizeof runs);
            runs.program = (struct program){polls_counted_from, 4, from, SLACK_INFINITE};
            result = explore_with(&runs, (struct explore_options){.merge = true, .lateness = lateness[bounded]});
            assert_int_equal(result.runs, 1);
            if (!bounded)
                assert_int_equal(result.segments, from < 16 ? 112 + from : 114);
        }
}

/* Between any two of its messages it polls more often than one who is taken to spin. */
static void polls_between(struct me *me)
{
    uint32_t in;

    if (me->rank == 0) {
        for (int i = 0; i < me->parameter; i++)
            recv(me, 1, 1);
        send(me, 1, 0);
        return;
    }
    in = irecv(me, 0, 0);
    for (int i = 0; i < me->parameter; i++) {
        for (int k = 0; k < 40; k++)
            assert_false(test(me, in));
        send(me, 0, 1);
    }
    wait_one(me, in);
}

/* That such polls end is seen ahead: to be told no until then is one step. */
static void test_polls_between(void **state)
{
    struct explore_result result = explore(polls_between, 2, 5);

    (void)state;
    expect(result, 1, 1, 0);
    assert_int_equal(result.steps, 5);
    assert_int_equal(result.anew, 0);
}

static void test_mixing(void **state)
{
    static const uint64_t runs_with[] = {24, 7, 18, 24};
    static struct runs runs;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){star, 5, 0, SLACK_INFINITE};
    for (uint32_t mixing = 0; mixing < 4; mixing++) {
        struct explore_result result;

        runs.visited = 0;
        result = explore_with(&runs, (struct explore_options){.mixing = mixing});
        assert_int_equal(result.runs, runs_with[mixing]);
        assert_int_equal(result.left, result.runs < 24 ? LEFT_MIXING : 0);
        assert_int_equal(result.complete.some, result.runs < 24);
        assert_int_equal(result.complete.other, result.runs < 24 ? mixing : 0);
    }
}

/* Of n messages that came, taking another than the first departs: with so many departures at most, these are so many orders. */
static void test_departures(void **state)
{
    static const uint64_t runs_with[] = {120, 1, 11, 46, 96, 120};
    static struct runs runs;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){star, 6, 0, SLACK_INFINITE};
    for (uint32_t departures = 0; departures < 6; departures++) {
        struct explore_result result;

        runs.visited = 0;
        result = explore_with(&runs, (struct explore_options){.departures = departures});
        assert_int_equal(result.runs, runs_with[departures]);
        assert_int_equal(result.left, result.runs < 120 ? LEFT_MIXING : 0);
        assert_false(result.complete.some);
        assert_int_equal(result.complete.departures, result.runs < 120 ? departures : 0);
    }
}

/* What is known of departures counts no more if the search would have to begin anew when it is cut short. */
static void test_departures_withdrawn(void **state)
{
    enum { RUNS = 40 };
    static struct runs runs;
    struct explore_result result;

    (void)state;
    for (int withdraws = 0; withdraws < 2; withdraws++) {
        memset(&runs, 0, sizeof runs);
        runs.program = (struct program){star, 6, 0, SLACK_INFINITE};
        runs.withdraws_after = withdraws ? RUNS : 0;
        result = explore_with(&runs, (struct explore_options){.deepen_after = 1, .max_runs = RUNS});
        assert_int_equal(result.left, LEFT_RUNS);
        assert_int_equal(completeness_is_news(&result.complete), !withdraws);
    }
}

/*
 * What was assumed on the first run and turns out to be false on it leads to another run, which departs where that is repaired, by deciding something else first, and
 * once more where rank 0 takes the message that came by it.
 */
static void test_repairs_depart(void **state)
{
    (void)state;
    for (uint32_t departures = 1; departures <= 3; departures++) {
        struct explore_result result = explore_how(dtg, 5, (struct explore_options){.departures = departures});

        assert_true(result.again > 0);
        assert_int_equal(result.runs, departures < 3 ? 1 : 2);
    }
}

/* Everybody asks so many times whether its neighbour has sent something, which that does in the end. */
static void all_ask(struct me *me)
{
    int next = (me->rank + 1) % me->ranks, last = (me->rank + me->ranks - 1) % me->ranks;

    for (int i = 0; i < me->parameter; i++) {
        iprobe(me, last, 0);
        send(me, me->rank, 7 + i); /* so that it is not the same poll again */
    }
    send(me, next, 0);
    recv(me, last, 0);
}

/* A no is no news as long as there is no yes, and may be said at any time: so not even the first level comes to an end.  Departures are few. */
static void test_departures_are_counted(void **state)
{
    static struct runs runs;
    struct explore_result result;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){all_ask, 4, 8, SLACK_INFINITE};
    result = explore_with(&runs, (struct explore_options){.deepen_after = 3000, .max_runs = 2500});
    assert_int_equal(result.left, LEFT_RUNS);
    assert_false(completeness_is_news(&result.complete));
    assert_true(result.complete.departures >= 2);
}

/* Rank 0 asks so many times whether the message is there that is there from the beginning. */
static void impatient(struct me *me)
{
    if (me->rank) {
        send(me, 0, 0);
        return;
    }
    uint32_t in = irecv(me, 1, 0);
    bool came = false;
    for (int i = 0; i < me->parameter && !came; i++) {
        came = test(me, in);
        send(me, 0, 7 + i); /* so that it is not the same poll again */
    }
    if (!came)
        wait_one(me, in);
}

/* It is told no so often at most; what is complete then is the bound. */
static void test_lateness(void **state)
{
    static struct runs runs;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){impatient, 2, 5, SLACK_INFINITE};
    for (uint32_t lateness = 0; lateness < 8; lateness++) {
        struct explore_result result;

        runs.visited = 0;
        result = explore_with(&runs, (struct explore_options){.lateness = lateness});
        assert_int_equal(result.runs, lateness && lateness < 6 ? lateness : 6);
        assert_int_equal(result.left, lateness && lateness < 6 ? LEFT_LATE : 0);
        assert_int_equal(result.complete.some, lateness && lateness < 6);
        assert_int_equal(result.complete.late, lateness && lateness < 6 ? lateness - 1 : 0);
        assert_int_equal(result.complete.any_other, lateness && lateness < 6);
    }
}

/* However early it turns to the order of costs, nothing is found twice, or not at all. */
static void test_deepening(void **state)
{
    static struct runs runs;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){star, 6, 0, SLACK_INFINITE};
    for (uint64_t after = 1; after < 2000; after = 2 * after + 77) {
        struct explore_result result;

        runs.visited = 0;
        result = explore_with(&runs, (struct explore_options){.deepen_after = after});
        expect(result, 120, 120, 0);
        assert_false(result.complete.some);
    }
}

/* So many rounds in which rank 0 hears everybody, and does not care in which order. */
static void rounds_of_hearing(struct me *me)
{
    for (int round = 0; round < me->parameter; round++) {
        if (me->rank)
            send(me, 0, round);
        for (int i = 1; i < me->ranks && me->rank == 0; i++) {
            me->image = (uint64_t)(round * MOST + i);
            recv(me, ANY, round);
        }
    }
}

/*
 * In a deep and wide search most of what is left for later has lost its state.  To reach it once more takes some decisions, and not all from the
 * beginning; and runs at random, which come to nothing that is not known, are no more than a part of the work.
 */
static void test_errands_are_near(void **state)
{
    static struct runs runs;
    struct explore_result result;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){rounds_of_hearing, 7, 40, SLACK_INFINITE};
    result = explore_with(&runs, (struct explore_options){.merge = true, .deepen_after = 1});
    expect(result, 1, 1, 0);
    assert_true(result.states > 2000);
    assert_true(result.retraced < 2 * result.steps);
    assert_true(result.strays * 6 * 40 < result.steps);
}

/* A state that is reached by many ways is one: whether less slack does harm is asked only where it keeps states apart. */
static void test_no_questions(void **state)
{
    static struct runs runs;
    struct explore_result result;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){rounds_of_hearing, 9, 1, SLACK_INFINITE};
    result = explore_with(&runs, (struct explore_options){.merge = true, .any_slack = true});
    expect(result, 1, 1, 0);
    assert_true(result.states > 128);
    assert_int_equal(result.questioned, 0);
}

/* The order 1 to n, but for one that is taken before its turn: the `later`-th after the one whose turn it was. */
static uint64_t order_with_departure(int n, int at, int later)
{
    uint64_t order = 0;

    for (int i = 1; i <= n; i++)
        order = order * 10 + (uint64_t)(i < at || i > at + later ? i : i == at ? at + later : i - 1);
    return order;
}

static bool was_received_so(const struct runs *runs, uint64_t order)
{
    for (uint64_t i = 1; i <= runs->visited; i++)
        if (runs->sources[i] == order)
            return true;
    return false;
}

/* Of a search that was cut short, at least the departures near the end of the first run are known: so many, and not one more. */
static void test_late_departures(void **state)
{
    enum { MESSAGES = 5 };
    static struct runs runs;
    uint32_t last = 0;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){star, MESSAGES + 1, 0, SLACK_INFINITE};
    for (uint64_t most = 1; most < 120; most++) {
        struct explore_result result;
        uint32_t all = 0;
        bool more = true;

        runs.visited = 0;
        result = explore_with(&runs, (struct explore_options){.max_runs = most});
        assert_int_equal(result.left, LEFT_RUNS);
        for (int at = MESSAGES - 1; at > 0 && more; at--, all += more)
            for (int later = 1; later <= MESSAGES - at; later++)
                more = more && was_received_so(&runs, order_with_departure(MESSAGES, at, later));
        assert_int_equal(result.complete.last, all);
        assert_int_equal(result.complete.decisions, all ? MESSAGES - 1 : 0);
        assert_true(all >= last);
        last = all;
    }
    assert_int_equal(last, MESSAGES - 1);
}

/* So long that a run is made ahead. */
static void talk_for_long(struct me *me)
{
    for (int i = 0; i < 15 && me->rank < 2; i++) {
        if (me->rank)
            send(me, 0, 1);
        recv(me, !me->rank, 1);
        if (!me->rank)
            send(me, 1, 1);
    }
}

static void star_after_long(struct me *me)
{
    talk_for_long(me);
    star(me);
}

/*
 * Of a search that has no end of its own, the departures near the end of the run that was made ahead are known: so many, and not one more.  If it is not cut
 * short, it comes to the ends that were told before, and there is none that it does not come to.
 */
static void test_sidesteps(void **state)
{
    enum { MESSAGES = 5, ALL = 2 * 3 * 4 * 5 };
    static struct runs runs;
    uint32_t last = 0;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){star_after_long, MESSAGES + 1, 0, SLACK_INFINITE};
    for (uint64_t most = 1; most <= 1 + 4 + 3 + 2 + 1; most++) {
        struct explore_result result;
        uint32_t all = 0;
        bool more = true;

        runs.visited = runs.scouted = 0;
        result = explore_with(&runs, (struct explore_options){.scout = true, .deepen_after = 1, .max_runs = most});
        assert_int_equal(result.left, LEFT_RUNS);
        assert_int_equal(runs.scouted, most);
        for (int at = MESSAGES - 1; at > 0 && more; at--, all += more)
            for (int later = 1; later <= MESSAGES - at; later++)
                more = more && was_received_so(&runs, order_with_departure(MESSAGES, at, later));
        assert_int_equal(result.complete.last, all);
        assert_int_equal(result.complete.known, all);
        assert_int_equal(result.complete.from, all ? FROM_RUN_AHEAD : FROM_SEARCH);
        assert_int_equal(result.complete.decisions, all ? MESSAGES - 1 : 0);
        assert_true(all >= last);
        last = all;
    }
    assert_int_equal(last, MESSAGES - 1);
    runs.visited = runs.scouted = 0;
    expect(explore_with(&runs, (struct explore_options){.scout = true, .deepen_after = 1}), ALL, ALL, 0);
    assert_int_equal(runs.scouted, 1 + 4 + 3 + 2 + 1);
}

/* A search that would not turn to costs for long tries the last departures from the run made ahead all the same. */
static void expect_sidesteps(uint32_t effort, uint64_t withdraws_after)
{
    struct explore_result result;

    memset(&last_runs, 0, sizeof last_runs);
    last_runs.program = (struct program){star_after_long, 4, 0, SLACK_INFINITE};
    last_runs.effort = effort;
    last_runs.withdraws_after = withdraws_after;
    result = explore_with(&last_runs, (struct explore_options){.scout = true, .deepen_after = UINT64_MAX / 16, .max_runs = 2});
    assert_int_equal(last_runs.scouted, 2);
    assert_int_equal(result.complete.from, FROM_RUN_AHEAD);
    assert_int_equal(result.complete.last, 1);
    assert_int_equal(result.complete.decisions, 2);
}

/* They are tried at once if that run has taken very long: the search may not have the time to come near. */
static void test_sidesteps_at_once(void **state)
{
    (void)state;
    expect_sidesteps(10000, 0);
}

/* What the search learns when its time is over is no matter for them. */
static void test_sidesteps_outlast_search(void **state)
{
    (void)state;
    expect_sidesteps(10000, 2);
}

/* They are tried when half of the time is gone. */
static void test_sidesteps_before_deadline(void **state)
{
    (void)state;
    deadline_begin(4);
    sleep(2);
    while (!deadline_is_near())
        ;
    expect_sidesteps(0, 0);
    deadline_begin(0);
}

/* The second message comes too late for one who asks once. */
static void asks_once(struct me *me)
{
    talk_for_long(me);
    if (me->rank) {
        send(me, 0, 0);
        return;
    }
    uint32_t r = irecv(me, 1, 0);
    if (!test(me, r))
        recv(me, 1, 3); /* which nobody sends */
}

/* A poll that could say yes says no: that is another outcome, and what comes of it is told. */
static void test_sidestep_by_poll(void **state)
{
    struct explore_result result = explore_how(asks_once, 2, (struct explore_options){.scout = true, .deepen_after = 1, .max_runs = 2});

    (void)state;
    assert_int_equal(result.by_end[RUN_CLEAN], 1);
    assert_int_equal(result.by_end[RUN_DEADLOCK], 1);
    assert_int_equal(result.complete.known, 1);
    assert_int_equal(result.complete.decisions, 1);
}

/* Where runs share files, one that goes wrong may do so for what the run made ahead has left: it is not told, nor counted as known, before the search comes there. */
static void test_sidestep_in_doubt(void **state)
{
    struct explore_result result;

    (void)state;
    memset(&last_runs, 0, sizeof last_runs);
    last_runs.program = (struct program){asks_once, 2, 0, SLACK_INFINITE};
    last_runs.shares_files = true;
    result = explore_with(&last_runs, (struct explore_options){.scout = true, .deepen_after = 1});
    expect(result, 2, 1, 1);
    assert_int_equal(last_runs.scouted, 1);
    last_runs.visited = last_runs.scouted = 0;
    result = explore_with(&last_runs, (struct explore_options){.scout = true, .deepen_after = 1, .max_runs = 1});
    assert_int_equal(result.complete.known, 0);
}

/* With so many runs, everything is known up to so many other choices.  Some of the runs are at random. */
static void test_complete_so_far(void **state)
{
    static struct runs runs;
    uint32_t last = 0;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){star, 6, 0, SLACK_INFINITE};
    for (uint64_t most = 10; most < 120; most += 10) {
        struct explore_result result;

        runs.visited = 0;
        result = explore_with(&runs, (struct explore_options){.deepen_after = 1, .max_runs = most});
        assert_int_equal(result.runs, most);
        assert_int_equal(result.left, LEFT_RUNS);
        assert_true(result.strays > 0);
        assert_true(result.complete.some && result.complete.any_late && !result.complete.any_other);
        assert_true(result.complete.other >= last);
        last = result.complete.other;
    }
    assert_int_equal(last, 3);
}

/* Forgets whom it heard first, and is lost if it hears rank 2 first once more. */
static void forgets_once(struct me *me)
{
    if (me->rank) {
        send(me, 0, 1);
        send(me, 0, 2);
        return;
    }
    recv(me, ANY, 1);
    recv(me, ANY, 1);
    me->image = 1;
    if (recv(me, ANY, 2) == 2)
        recv(me, 1, 9);
}

/*
 * It is lost after one other choice.  A random run may come to where it has forgotten by another one, and leave it
 * there to be lost after two: that it takes one only must be known before what takes one is called complete.
 */
static void test_complete_by_the_cheapest_way(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        explore_how(forgets_once, 3, (struct explore_options){.merge = true, .deepen_after = 1, .seed = seed});
        assert_true(!last_runs.complete_then.some || last_runs.complete_then.other == 0);
    }
}

/* The same if it hears rank 2 first, where what is buffered of rank 1 decides what is owed when rank 0 has forgotten. */
static void forgets_and_owes(struct me *me)
{
    if (me->rank)
        send(me, 0, 0);
    if (me->rank == 0 && recv(me, ANY, 0) == 1) {
        for (int i = 1; i <= 4; i++)
            recv(me, i % 2 + 1, (i + 1) / 2);
        return;
    }
    if (me->rank == 1)
        send(me, 2, 5);
    forgets_once(me);
    if (me->rank == 2)
        recv(me, 1, 5);
}

/*
 * What is owed tells states apart of which one stands for the other (stand_ins.c).  A random run may come to the dearer one first: then that stands for the other,
 * and costs no more.  What is said to be complete holds if MPI buffers everything; and in the end nothing was left out.
 */
static void test_complete_by_the_cheapest_debt(void **state)
{
    struct explore_options options = {.merge = true, .any_slack = true, .every_slack_deadlock = true};
    uint64_t slack_deadlocks = explore_how(forgets_and_owes, 3, options).slack_deadlocks;
    bool put_off = false;

    (void)state;
    options.deepen_after = 1;
    for (options.seed = 1; options.seed <= 100; options.seed++) {
        struct explore_result result = explore_how(forgets_and_owes, 3, options);

        assert_int_equal(result.left, 0);
        assert_int_equal(result.by_end[RUN_DEADLOCK], 1);
        assert_int_equal(result.slack_deadlocks, slack_deadlocks);
        assert_true(!last_runs.complete_then.some || (!last_runs.complete_then.any_other && last_runs.complete_then.other <= 1));
        put_off = put_off || result.complete.buffered;
    }
    assert_true(put_off);
}

/* In two ways it comes to where it is lost: two other choices, or a late poll.  Then it takes one other choice more. */
static void lost_in_two_ways(struct me *me)
{
    if (me->rank) {
        for (int tag = me->rank == 1 ? 0 : 1; tag <= 3; tag++)
            send(me, 0, tag);
        return;
    }
    uint32_t in = irecv(me, 1, 0);
    bool late = !test(me, in);
    if (late)
        wait_one(me, in);
    int first[2];
    for (int i = 0; i < 2; i++) {
        first[i] = recv(me, ANY, 1 + i);
        recv(me, ANY, 1 + i);
    }
    bool lost = late ? first[0] == 1 && first[1] == 1 : first[0] == 2 && first[1] == 2;
    me->image = lost ? 1 : 0;
    if (recv(me, ANY, 3) == 2 && lost)
        recv(me, 1, 9);
}

/* To have come there without a late poll is not to have come there cheaper, if other choices are counted, too. */
static void test_two_bounds(void **state)
{
    struct explore_result result;

    (void)state;
    result = explore_how(lost_in_two_ways, 3, (struct explore_options){.merge = true});
    assert_int_equal(result.by_end[RUN_DEADLOCK], 1);
    result = explore_how(lost_in_two_ways, 3, (struct explore_options){.merge = true, .lateness = 2, .mixing = 2});
    assert_int_equal(result.by_end[RUN_DEADLOCK], 1);
    assert_int_equal(result.left, LEFT_MIXING);
    assert_true(result.complete.some && result.complete.late == 1 && result.complete.other == 2);
    result = explore_how(lost_in_two_ways, 3, (struct explore_options){.merge = true, .lateness = 1, .mixing = 2});
    assert_int_equal(result.by_end[RUN_DEADLOCK], 0);
    result = explore_how(lost_in_two_ways, 3, (struct explore_options){.merge = true, .lateness = 2, .mixing = 1});
    assert_int_equal(result.by_end[RUN_DEADLOCK], 0);
}

/* In a region marked by MPI_Pcontrol(0) a receive takes what it can get. */
static void marked_star(struct me *me)
{
    if (me->rank) {
        send(me, 0, 0);
        return;
    }
    for (int i = 1; i < me->ranks; i++) {
        if (i == 1)
            emit(me, (struct op){.kind = OP_PCONTROL, .flags = OPF_WENT_ON, .tag = 0}, NULL, 0);
        if (i == me->parameter)
            emit(me, (struct op){.kind = OP_PCONTROL, .flags = OPF_WENT_ON, .tag = 1}, NULL, 0);
        recv(me, ANY, 0);
    }
}

static void test_regions(void **state)
{
    struct explore_result result = explore(marked_star, 5, 0);

    (void)state;
    assert_int_equal(result.runs, 1);
    assert_int_equal(result.left, LEFT_REGIONS);
    result = explore(marked_star, 5, 3);
    assert_int_equal(result.runs, 2);
    result = explore(marked_star, 5, 1);
    assert_int_equal(result.runs, 24);
    assert_int_equal(result.left, 0);
}

/* The second message decides: from rank 2 it leads nowhere. */
static void treacherous(struct me *me)
{
    if (me->rank) {
        send(me, 0, 0);
        return;
    }
    recv(me, ANY, 0);
    if (recv(me, ANY, 0) == 2)
        recv(me, ANY, 1);
    recv(me, ANY, 0);
}

static void test_samples(void **state)
{
    struct explore_result result;

    (void)state;
    result = explore_how(star, 5, (struct explore_options){.samples = 10});
    assert_in_range(result.runs, 2, 10);
    assert_float_equal(result.estimate, 24, 0);
    assert_int_equal(result.left, LEFT_SAMPLED);
    result = explore_how(star, 5, (struct explore_options){.samples = 1000, .seed = 7});
    assert_int_equal(result.runs, 24); /* each once */
}

/* Runs of a sample hang together, too. */
static void test_turning_of_samples(void **state)
{
    struct runner runner;
    struct explore_options options = {.ranks = 4, .slack = SLACK_INFINITE, .samples = 100};
    struct turning turning;
    static struct runs runs;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){treacherous, 4, 0, SLACK_INFINITE};
    runner = (struct runner){.run = run_segment, .data = &runs};
    runs.x = explore_new(&runner, &options);
    assert_int_equal(explore_run(runs.x, on_run, &runs).by_end[RUN_DEADLOCK], 2);
    assert_true(explore_turning(runs.x, runs.bad, &turning));
    assert_int_equal(turning.critical, 1);
    assert_true(explore_step_account(runs.x, runs.bad)->decisions > turning.critical);
    assert_null(explore_step_account(runs.x, UINT32_MAX));
    explore_free(runs.x);
    free(runs.node);
}

static void test_turning(void **state)
{
    struct runner runner;
    struct explore_options options = {.ranks = 4, .slack = SLACK_INFINITE};
    struct turning turning;
    static struct runs runs;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){treacherous, 4, 0, SLACK_INFINITE};
    runner = (struct runner){.run = run_segment, .data = &runs};
    runs.x = explore_new(&runner, &options);
    assert_int_equal(explore_run(runs.x, on_run, &runs).by_end[RUN_DEADLOCK], 2);
    assert_true(explore_turning(runs.x, runs.bad, &turning));
    assert_int_equal(turning.critical, 1);
    assert_int_equal(turning.instead->decisions, 3);
    assert_int_not_equal(turning.instead->decision[1].source, 2);
    explore_free(runs.x);
    free(runs.node);
}

/* Rank 1 sends something to rank 3, forgets whom it heard first, and is lost if it heard rank 2 first twice. */
static void forgets_what_is_pending(struct me *me)
{
    if (me->rank == 3) {
        recv(me, 1, 7);
        recv(me, ANY, 5);
        recv(me, ANY, 5);
    } else if (me->rank == 1) {
        int first = recv(me, ANY, 1);

        send(me, 3, 5);
        recv(me, ANY, 1);
        if (recv(me, ANY, 2) == 2 && first == 2)
            recv(me, 0, 9);
        recv(me, ANY, 2);
        me->image = 1;
        recv(me, 0, 3);
        send(me, 3, 7);
    } else {
        send(me, 1, 1);
        send(me, 1, 2);
        send(me, me->rank ? 3 : 1, me->rank ? 5 : 3);
    }
}

/* The way to a good end leads into what was found on another one, where the message that is pending has another number. */
static void test_turning_where_merged(void **state)
{
    struct runner runner;
    struct explore_options options = {.ranks = 4, .slack = SLACK_INFINITE, .merge = true};
    struct explore_result result;
    struct turning turning;
    static struct runs runs;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){forgets_what_is_pending, 4, 0, SLACK_INFINITE};
    runner = (struct runner){.run = run_segment, .data = &runs};
    runs.x = explore_new(&runner, &options);
    result = explore_run(runs.x, on_run, &runs);
    assert_true(result.merged > 0);
    assert_int_equal(result.by_end[RUN_DEADLOCK], 1);
    assert_true(explore_turning(runs.x, runs.bad, &turning));
    assert_int_equal(turning.instead->decision[0].source, 2);
    assert_true(turning.instead->decisions > turning.critical + 1);
    explore_free(runs.x);
    free(runs.node);
}

struct told {
    int good, bad, goes_on, open, left_out, untried;
};

/* What is told holds together, and adds up. */
static struct told count_told(const struct outline *outline)
{
    struct told told = {0};

    for (size_t i = 0; i < outline->branch.n; i++) {
        const struct branch *branch = &outline->branch.at[i];

        assert_true(i ? branch->parent < i && branch->op : branch->parent == BRANCH_NONE && !branch->op);
        if (i && branch->to_bad && branch->same == BRANCH_NONE)
            assert_true(outline->branch.at[branch->parent].to_bad);
        told.good += branch->end == BRANCH_GOOD;
        told.bad += branch->end == BRANCH_BAD;
        told.goes_on += branch->end == BRANCH_GOES_ON;
        told.open += branch->to_open;
        told.left_out += (int)branch->left_out;
        told.untried += (int)branch->untried;
    }
    return told;
}

/* All decisions of treacherous() as a tree, searched and told with these options. */
static struct told outline(struct explore_options options, size_t wanted, size_t most, uint64_t *all)
{
    static struct runs runs;
    struct runner runner = {.run = run_segment, .data = &runs};

    memset(&runs, 0, sizeof runs);
    options.ranks = 4;
    options.slack = SLACK_INFINITE;
    runs.program = (struct program){treacherous, 4, 0, SLACK_INFINITE};
    runs.x = explore_new(&runner, &options);
    explore_run(runs.x, on_run, &runs);

    struct landmarks landmarks = {.wanted = wanted, .wanted_step = &runs.bad};
    struct outline outline = explore_outline(runs.x, &landmarks, most);
    struct told told = count_told(&outline);

    *all = outline.all;
    assert_true(outline.branch.at[0].to_bad || !told.bad);
    outline_release(&outline);
    explore_free(runs.x);
    free(runs.node);
    return told;
}

static void test_outline(void **state)
{
    uint64_t all;
    struct told told = outline((struct explore_options){0}, 0, 100, &all);

    (void)state;
    assert_int_equal(all, 3 + 6 + 4);
    assert_int_equal(told.good, 4);
    assert_int_equal(told.bad, 2);
    assert_int_equal(told.goes_on, 1 + 3 + 4);
    assert_int_equal(told.open + told.left_out + told.untried, 0);

    told = outline((struct explore_options){0}, 0, 3, &all); /* the nearest */
    assert_int_equal(told.goes_on, 1 + 3);
    assert_int_equal(told.left_out, 6);
    told = outline((struct explore_options){0}, 1, 0, &all); /* what is wanted, however little room there is */
    assert_int_equal(told.bad, 1);
    assert_int_equal(told.goes_on, 2);
    assert_int_equal(told.left_out, 2 + 1);
    assert_int_equal(all, 13);

    told = outline((struct explore_options){.max_runs = 1}, 0, 100, &all);
    assert_int_equal(told.good + told.bad, 1);
    assert_int_equal(told.untried, 2 + 1);
    told = outline((struct explore_options){.samples = 100}, 0, 100, &all); /* who knows what it has missed */
    assert_int_equal(told.open, 1 + 3 + 4);
}

/* No run is good, but some are better than others. */
static void test_turning_to_flawed(void **state)
{
    struct runner runner;
    struct explore_options options = {.ranks = 4, .slack = SLACK_INFINITE};
    struct turning turning;
    const bool second[VISIT_FLAWED + 2] = {[VISIT_FLAWED + 1] = true};
    static struct runs runs;

    (void)state;
    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){treacherous, 4, 0, SLACK_INFINITE};
    runs.flawed = true;
    runner = (struct runner){.run = run_segment, .data = &runs};
    runs.x = explore_new(&runner, &options);
    explore_run(runs.x, on_run, &runs);
    assert_false(explore_turning(runs.x, runs.bad, &turning));
    explore_aim_at(runs.x, second, VISIT_FLAWED + 2);
    assert_true(explore_turning(runs.x, runs.bad, &turning));
    assert_int_equal(turning.critical, 1);
    explore_aim_at(runs.x, second, VISIT_FLAWED + 1);
    assert_false(explore_turning(runs.x, runs.bad, &turning));
    explore_free(runs.x);
    free(runs.node);
}

/* Each sends before it receives; the third only watches. */
static void exchange(struct me *me)
{
    int other = me->rank ^ 1;

    if (me->rank == 2)
        return;
    send(me, other, 0);
    recv(me, other, 0);
}

/*
 * Rank 1 hears from rank 0 only after rank 2, which waits for what rank 0 sends
 * later: it must be buffered.  Then ranks 0 and 2 are head to head.
 */
static void later_exchange(struct me *me)
{
    switch (me->rank) {
    case 0:
        send(me, 1, 0);
        send(me, 2, 0);
        recv(me, 2, 0);
        break;
    case 1:
        recv(me, 2, 1);
        recv(me, 0, 0);
        break;
    default:
        send(me, 0, 0);
        recv(me, 0, 0);
        send(me, 1, 1);
    }
}

static void test_any_slack(void **state)
{
    struct explore_result result;

    (void)state;
    result = explore_how(exchange, 3, (struct explore_options){.any_slack = true});
    assert_int_equal(result.runs, 1);
    assert_int_equal(result.slack_deadlocks, 1);
    assert_int_equal(last_runs.buffered, 0);
    assert_int_equal(last_runs.unbuffered, 2);
    result = explore_how(later_exchange, 3, (struct explore_options){.any_slack = true});
    assert_int_equal(result.runs, 1);
    assert_int_equal(result.slack_deadlocks, 2); /* the first send of 0; if it is buffered, its second and that of 2 */
    assert_int_equal(last_runs.buffered, 1);
    assert_int_equal(last_runs.unbuffered, 2);
    result = explore_how(later_exchange, 3, (struct explore_options){.any_slack = true, .every_slack_deadlock = true});
    assert_int_equal(result.slack_deadlocks, 3); /* and the first, with that of 2 buffered */
}

/* Who waits for somebody that waits for itself has no cause of its own. */
static void waits_for_itself(struct me *me)
{
    if (me->rank)
        send(me, 0, 0);
    else
        recv(me, 0, 0);
}

static void test_slack_of_a_deadlock(void **state)
{
    struct explore_result result;

    (void)state;
    result = explore_how(waits_for_itself, 6, (struct explore_options){.any_slack = true});
    assert_int_equal(result.by_end[RUN_DEADLOCK], 1);
    assert_int_equal(result.slack_deadlocks, 0);
    result =
        explore_how(waits_for_itself, 6, (struct explore_options){.any_slack = true, .every_slack_deadlock = true});
    assert_int_equal(result.slack_deadlocks, 31);
}

/* Every way in which sends that are not buffered hold it up. */
static struct explore_result explore_every_slack_deadlock(void (*main)(struct me *), int ranks)
{
    static struct runs runs;

    memset(&runs, 0, sizeof runs);
    runs.program = (struct program){main, ranks, 0, SLACK_INFINITE};
    return explore_with(&runs, (struct explore_options){.any_slack = true, .every_slack_deadlock = true});
}

static void expect_slack_deadlocks(struct explore_result result, uint64_t runs, uint64_t slack_deadlocks)
{
    assert_int_equal(result.runs, runs);
    assert_int_equal(result.slack_deadlocks, slack_deadlocks);
}

static void aborts_later(struct me *me)
{
    send(me, 1 - me->rank, 0);
    if (me->rank)
        abort_program(me);
}

/* Held up before it aborts, rank 1 is in a deadlock; after that, rank 0 is not. */
static void test_cut_before_an_abort(void **state)
{
    (void)state;
    expect_slack_deadlocks(explore_every_slack_deadlock(aborts_later, 2), 1, 2);
}

/* Its send would not help it. */
static void waits_for_more(struct me *me)
{
    if (me->rank == 0)
        wait_all(me, 2, (uint32_t[]){isend_value(me, 1, 0, 0), irecv(me, 1, 0)});
}

static void test_no_slack_deadlock(void **state)
{
    struct explore_result result = explore_every_slack_deadlock(waits_for_more, 2);

    (void)state;
    expect_slack_deadlocks(result, 1, 0);
    assert_int_equal(result.by_end[RUN_DEADLOCK], 1);
}

/*
 * Rank 2, once its send is buffered, sees the message or not, and it is withdrawn or not
 * (D5); in all cases rank 0 may be held up in its send.
 */
static void sees_what_is_withdrawn(struct me *me)
{
    if (me->rank == 1) {
        cancel(me, isend_value(me, 2, 0, 0));
        return;
    }
    send(me, me->rank ? 0 : 1, 0);
    if (me->rank == 2)
        iprobe(me, ANY, 0);
}

/* Of two equal messages it may have seen the first, which is withdrawn then, though the second does not come. */
static void sees_either(struct me *me)
{
    if (me->rank == 0) {
        while (!iprobe(me, 1, 0))
            ;
    } else if (me->rank == 1) {
        cancel(me, isend_value(me, 0, 0, 0));
        send(me, 2, 0);
        isend_value(me, 0, 0, 0);
    }
}

/* Rank 1 does not come so far that its message cannot be cancelled any more; it is received all the same. */
static void holds_longer(struct me *me)
{
    if (me->rank == 0) {
        recv(me, 1, 0);
    } else if (me->rank == 1) {
        uint32_t request = isend_value(me, 0, 0, 0);

        send(me, 2, 1);
        wait_one(me, request);
    } else {
        cancel(me, irecv(me, 0, 0));
    }
}

static void test_cuts_and_cancel(void **state)
{
    (void)state;
    expect_slack_deadlocks(explore_every_slack_deadlock(sees_what_is_withdrawn, 3), 4, 8);
    expect_slack_deadlocks(explore_every_slack_deadlock(sees_either, 3), 2, 3);
    expect_slack_deadlocks(explore_every_slack_deadlock(holds_longer, 3), 1, 1);
}

/* Keys that agree in the part that is in memory, or in their place, and differ elsewhere. */
static struct map_key nearly_same_key(uint32_t i)
{
    return (struct map_key){(uint64_t)(i / 7) << 32 | i % 7, (uint64_t)(i % 5) << 40 | i / 100};
}

static void test_known_states(void **unused)
{
    enum { MANY = 20000 };
    struct known_states known = {0};
    (void)unused;

    assert_int_equal(known_states_find(&known, nearly_same_key(1)), 0);
    for (uint32_t i = 1; i < MANY; i++) {
        assert_int_equal(known_states_find(&known, nearly_same_key(i)), 0);
        known_states_add(&known, nearly_same_key(i), i);
    }
    for (uint32_t i = 1; i < MANY; i++)
        assert_int_equal(known_states_find(&known, nearly_same_key(i)), i);
    assert_int_equal(known_states_find(&known, nearly_same_key(MANY)), 0);
    known_states_release(&known);
    assert_int_equal(known_states_find(&known, nearly_same_key(1)), 0);
}

/* Of some steps only. */
static void test_step_index(void **unused)
{
    enum { MANY = 20000 };
    struct map_key *by_step = xcalloc(MANY, sizeof *by_step);
    struct step_index index = {0};
    (void)unused;

    for (uint32_t i = 1; i < MANY; i++)
        by_step[i] = nearly_same_key(i);
    for (uint32_t i = 1; i < MANY; i++)
        if (i % 3)
            step_index_add(&index, by_step, i);
    for (uint32_t i = 1; i < MANY; i++)
        assert_int_equal(step_index_find(&index, by_step, by_step[i]), i % 3 ? i : 0);
    step_index_release(&index);
    assert_int_equal(step_index_find(&index, by_step, by_step[1]), 0);
    free(by_step);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_star),
        cmocka_unit_test(test_dtg),
        cmocka_unit_test(test_crooked_barrier),
        cmocka_unit_test(test_independent),
        cmocka_unit_test(test_head_to_head),
        cmocka_unit_test(test_alternatives),
        cmocka_unit_test(test_both_choose),
        cmocka_unit_test(test_one_fails),
        cmocka_unit_test(test_common_choice),
        cmocka_unit_test(test_synchronous),
        cmocka_unit_test(test_select),
        cmocka_unit_test(test_poll_says_no),
        cmocka_unit_test(test_spin),
        cmocka_unit_test(test_scout_before_polls),
        cmocka_unit_test(test_behind_any_tag),
        cmocka_unit_test(test_polls_more_later),
        cmocka_unit_test(test_later_rounds),
        cmocka_unit_test(test_later_rounds_leave_time),
        cmocka_unit_test(test_polls_counted_from),
        cmocka_unit_test(test_polls_between),
        cmocka_unit_test(test_counted_polls),
        cmocka_unit_test(test_bcast_is_no_barrier),
        cmocka_unit_test(test_mismatch),
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_taking),
        cmocka_unit_test(test_content),
        cmocka_unit_test(test_late_rival),
        cmocka_unit_test(test_abort),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_decisions),
        cmocka_unit_test(test_replay),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_cancel_in_long_run),
        cmocka_unit_test(test_cancel_both),
        cmocka_unit_test(test_never_waited),
        cmocka_unit_test(test_complaints),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_merge_polls),
        cmocka_unit_test(test_mixing),
        cmocka_unit_test(test_departures),
        cmocka_unit_test(test_departures_withdrawn),
        cmocka_unit_test(test_repairs_depart),
        cmocka_unit_test(test_departures_are_counted),
        cmocka_unit_test(test_errands_are_near),
        cmocka_unit_test(test_no_questions),
        cmocka_unit_test(test_late_departures),
        cmocka_unit_test(test_sidesteps),
        cmocka_unit_test(test_sidesteps_at_once),
        cmocka_unit_test(test_sidesteps_outlast_search),
        cmocka_unit_test(test_sidesteps_before_deadline),
        cmocka_unit_test(test_sidestep_by_poll),
        cmocka_unit_test(test_sidestep_in_doubt),
        cmocka_unit_test(test_lateness),
        cmocka_unit_test(test_deepening),
        cmocka_unit_test(test_complete_so_far),
        cmocka_unit_test(test_complete_by_the_cheapest_way),
        cmocka_unit_test(test_complete_by_the_cheapest_debt),
        cmocka_unit_test(test_two_bounds),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_turning),
        cmocka_unit_test(test_turning_where_merged),
        cmocka_unit_test(test_outline),
        cmocka_unit_test(test_turning_to_flawed),
        cmocka_unit_test(test_turning_of_samples),
        cmocka_unit_test(test_any_slack),
        cmocka_unit_test(test_slack_of_a_deadlock),
        cmocka_unit_test(test_cut_before_an_abort),
        cmocka_unit_test(test_no_slack_deadlock),
        cmocka_unit_test(test_cuts_and_cancel),
        cmocka_unit_test(test_known_states),
        cmocka_unit_test(test_step_index),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
