/* The semantics, rule by rule (doc/semantics.md). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "sem/sem.h"

enum { WORLD = 1, OTHER = 2, MANY = 100000 };
#define ANY RANK_ANY

static struct sem *world_of(int ranks, uint64_t slack)
{
    struct sem *sem = sem_new(ranks, slack);
    rank_t *member = calloc((size_t)ranks, sizeof *member);

    for (int i = 0; i < ranks; i++)
        member[i] = i;
    assert_int_equal(sem_context(sem, WORLD, ranks, ranks, member), 0);
    assert_int_equal(sem_context(sem, OTHER, ranks, ranks, member), 0);
    free(member);
    return sem;
}

static op_id send(struct sem *sem, rank_t from, rank_t to, int tag)
{
    return sem_send(sem, from, to, WORLD, tag, SEND_STANDARD, 8, 0);
}

static op_id receive(struct sem *sem, rank_t at, rank_t from, int tag)
{
    return sem_recv(sem, at, from, WORLD, tag, 0);
}

static void expect_forced(struct sem *sem, op_id send, op_id recv)
{
    struct match match;

    assert_true(sem_next_forced(sem, &match));
    assert_int_equal(match.send, send);
    assert_int_equal(match.recv, recv);
}

static void expect_none_forced(struct sem *sem)
{
    struct match match;

    assert_false(sem_next_forced(sem, &match));
}

static void expect_choices(const struct sem *sem, op_id recv, int n, op_id first, op_id second)
{
    op_id sends[8];

    assert_int_equal(sem_choices(sem, recv, sends), n);
    if (n > 0)
        assert_int_equal(sends[0], first);
    if (n > 1)
        assert_int_equal(sends[1], second);
}

static op_id probed(const struct sem *sem, rank_t at, rank_t from, int tag)
{
    op_id sends[8];
    int n = sem_probe(sem, at, from, WORLD, tag, sends);

    assert_in_range(n, 0, 1);
    return n ? sends[0] : OP_ID_NONE;
}

static void expect_ready(struct sem *sem, rank_t rank)
{
    rank_t ready;

    assert_true(sem_next_ready(sem, &ready));
    assert_int_equal(ready, rank);
    assert_true(sem_is_ready(sem, rank));
}

static void expect_none_ready(struct sem *sem)
{
    rank_t ready;

    assert_false(sem_next_ready(sem, &ready));
}

static bool is_complete(const struct sem *sem, op_id op)
{
    return sem_view(sem, op).complete;
}

/* Runs `what` in a child and expects it to end in BUG(). */
static void expect_bug(void (*what)(struct sem *), struct sem *sem)
{
    int status;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (!child) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        what(sem);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
}

static void contexts(void **state)
{
    struct sem *sem = sem_new(5, SLACK_ZERO);
    const rank_t some[] = {4, 0, 2}, same[] = {4, 0, 2}, others[] = {4, 2, 0}, twice[] = {1, 1}, beyond[] = {0, 5};
    const rank_t *member;
    (void)state;

    assert_false(sem_has_context(sem, 77));
    assert_int_equal(sem_context(sem, 77, 3, 3, some), 0);
    assert_true(sem_has_context(sem, 77));
    assert_int_equal(sem_context(sem, 77, 3, 3, same), 0);
    assert_int_equal(sem_context(sem, 77, 3, 3, others), -1);
    assert_int_equal(sem_context(sem, 77, 2, 3, same), -1);
    assert_int_equal(sem_context(sem, 77, 2, 2, same), -1);
    assert_int_equal(sem_context(sem, 78, 3, 3, others), 0);
    assert_int_equal(sem_context(sem, 79, 1, 3, same), 0);
    assert_int_equal(sem_context(sem, 80, 2, 2, twice), -1);
    assert_int_equal(sem_context(sem, 80, 2, 2, beyond), -1);
    assert_int_equal(sem_context(sem, 80, 0, 0, some), -1);
    assert_int_equal(sem_context(sem, 80, 4, 3, some), -1);
    assert_false(sem_has_context(sem, 80));
    assert_int_equal(sem_members(sem, 77, &member), 3);
    assert_int_equal(member[0], 4);
    assert_int_equal(member[2], 2);
    assert_int_equal(sem_position(sem, 77, 4), 0);
    assert_int_equal(sem_position(sem, 77, 0), 1);
    assert_int_equal(sem_position(sem, 77, 2), 2);
    assert_int_equal(sem_position(sem, 77, 1), -1);
    assert_int_equal(sem_position(sem, 77, 3), -1);
    assert_int_equal(sem_position(sem, 78, 2), 1);
    for (context_t c = 1000; c < 2000; c++)
        assert_int_equal(sem_context(sem, c << 32, 3, 3, some), 0);
    assert_int_equal(sem_position(sem, (context_t)1500 << 32, 2), 2);
    sem_free(sem);
}

/* M1 */
static void a_context_goes_when_all_have_left_and_nothing_is_pending(void **state)
{
    (void)state;
    struct sem *sem = world_of(2, SLACK_INFINITE);
    op_id s = sem_send(sem, 0, 1, OTHER, 3, SEND_STANDARD, 8, 0), r;

    sem_retire(sem, s);
    sem_leave(sem, OTHER);
    assert_true(sem_has_context(sem, OTHER));
    r = sem_recv(sem, 1, 0, OTHER, 3, 0);
    expect_forced(sem, s, r);
    sem_leave(sem, OTHER);
    assert_true(sem_has_context(sem, OTHER));
    sem_retire(sem, r);
    expect_none_forced(sem);
    send(sem, 0, 1, 0); /* ends of a match stay visible until the next */
    r = receive(sem, 1, 0, 0);
    assert_true(sem_next_forced(sem, &(struct match){0}));
    assert_false(sem_has_context(sem, OTHER));
    assert_true(sem_has_context(sem, WORLD));
    sem_free(sem);
}

static void envelopes_must_agree(void **state)
{
    struct sem *sem = world_of(3, SLACK_INFINITE);
    op_id right;
    (void)state;

    receive(sem, 1, 0, 5);
    send(sem, 0, 1, 6);
    send(sem, 2, 1, 5);
    send(sem, 0, 2, 5);
    sem_send(sem, 0, 1, OTHER, 5, SEND_STANDARD, 8, 0);
    expect_none_forced(sem);
    right = send(sem, 0, 1, 5);
    expect_forced(sem, right, 1);
    expect_none_forced(sem);
    assert_true(sem_view(sem, right).matched);
    assert_int_equal(sem_view(sem, right).partner, 1);
    sem_free(sem);
}

static void a_view_shows_the_envelope(void **state)
{
    struct sem *sem = world_of(3, SLACK_ZERO);
    op_id s = sem_send(sem, 0, 2, OTHER, 9, SEND_SYNCHRONOUS, 123, 77), r = sem_recv(sem, 2, ANY, OTHER, TAG_ANY, 78);
    op_id c = sem_coll(sem, 1, WORLD, 4, 0, 3, NULL, 0, 79);
    struct sem_view view = sem_view(sem, s);
    (void)state;

    assert_int_equal(view.kind, SEM_SEND);
    assert_int_equal(view.owner, 0);
    assert_int_equal(view.peer, 2);
    assert_int_equal(view.tag, 9);
    assert_int_equal(view.context, OTHER);
    assert_int_equal(view.bytes, 123);
    assert_int_equal(view.user, 77);
    assert_false(view.matched || view.complete);
    assert_int_equal(view.partner, OP_ID_NONE);
    view = sem_view(sem, r);
    assert_int_equal(view.kind, SEM_RECV);
    assert_int_equal(view.peer, RANK_ANY);
    assert_int_equal(view.tag, TAG_ANY);
    view = sem_view(sem, c);
    assert_int_equal(view.kind, SEM_COLL);
    assert_int_equal(view.tag, 4);
    sem_free(sem);
}

/* D7 */
static void what_needs_nobody_is_complete(void **state)
{
    struct sem *sem = sem_new(2, SLACK_TIGHT); /* no communicator is needed */
    op_id d = sem_done(sem, 1, 5), other = sem_done(sem, 1, 6);
    struct sem_view view = sem_view(sem, d);
    rank_t ready;
    (void)state;

    assert_int_equal(view.kind, SEM_DONE);
    assert_int_equal(view.owner, 1);
    assert_int_equal(view.user, 5);
    assert_int_equal(view.context, 0);
    assert_true(view.complete);
    assert_false(view.matched || view.loosens || sem_withdraw(sem, d) || sem_may_escape(sem, d));
    sem_await(sem, 1, AWAIT_ANY, (op_id[]){d, other}, 2);
    assert_true(sem_next_ready(sem, &ready));
    assert_int_equal(ready, 1);
    sem_go(sem, 1);
    sem_retire(sem, d);
    sem_await(sem, 1, AWAIT_ALL, &other, 1);
    assert_true(sem_is_ready(sem, 1));
    sem_go(sem, 1);
    sem_retire(sem, other);
    assert_int_equal(sem_live(sem), 0);
    sem_free(sem);
}

/* M2 */
static void sends_do_not_overtake(void **state)
{
    struct sem *sem = world_of(2, SLACK_INFINITE);
    op_id s0 = send(sem, 0, 1, 0), s1 = send(sem, 0, 1, 1), s2 = send(sem, 0, 1, 0), r;
    (void)state;

    r = receive(sem, 1, 0, 1); /* another tag may pass */
    expect_forced(sem, s1, r);
    r = receive(sem, 1, 0, 0);
    expect_forced(sem, s0, r);
    r = receive(sem, 1, 0, TAG_ANY);
    expect_forced(sem, s2, r);
    sem_free(sem);
}

/* A named source with any tag leaves no choice: the channel's first. */
static void any_tag_of_a_named_source_is_forced(void **state)
{
    struct sem *sem = world_of(2, SLACK_INFINITE);
    op_id s0 = send(sem, 0, 1, 3), s1 = send(sem, 0, 1, 2), r0 = receive(sem, 1, 0, TAG_ANY);
    op_id r1 = receive(sem, 1, 0, TAG_ANY);
    (void)state;

    expect_choices(sem, r0, 1, s0, 0);
    expect_choices(sem, r1, 0, 0, 0);
    expect_forced(sem, s0, r0);
    expect_forced(sem, s1, r1);
    expect_none_forced(sem);
    sem_free(sem);
}

/* M3 */
static void receives_are_served_in_order(void **state)
{
    struct sem *sem = world_of(2, SLACK_INFINITE);
    op_id r0 = receive(sem, 1, 0, 7), r1 = receive(sem, 1, 0, TAG_ANY), r2 = receive(sem, 1, 0, 7), s;
    (void)state;

    s = send(sem, 0, 1, 7);
    expect_forced(sem, s, r0);
    s = send(sem, 0, 1, 7);
    expect_forced(sem, s, r1);
    s = send(sem, 0, 1, 7);
    expect_forced(sem, s, r2);
    sem_free(sem);
}

/* All posted before anything is matched, so that each match opens the next. */
static void forced_matches_follow_each_other(void **state)
{
    struct sem *sem = world_of(2, SLACK_INFINITE);
    op_id r = receive(sem, 1, 0, TAG_ANY), r3 = receive(sem, 1, 0, 3), r2 = receive(sem, 1, 0, 2);
    op_id s1 = send(sem, 0, 1, 1), s2 = send(sem, 0, 1, 2), s3 = send(sem, 0, 1, 3);
    struct match match;
    (void)state;

    expect_choices(sem, r2, 0, 0, 0);
    expect_forced(sem, s1, r);
    expect_choices(sem, r2, 1, s2, 0);
    expect_choices(sem, r3, 1, s3, 0);
    while (sem_next_forced(sem, &match)) /* in either order */
        ;
    assert_int_equal(sem_view(sem, s2).partner, r2);
    assert_int_equal(sem_view(sem, s3).partner, r3);
    sem_free(sem);
}

/* M3: the wildcard was first, so the named receive behind it cannot have the message. */
static void a_wildcard_blocks_a_later_named_receive(void **state)
{
    struct sem *sem = world_of(3, SLACK_INFINITE);
    op_id wild = receive(sem, 1, ANY, 0), named = receive(sem, 1, 0, 0), s0 = send(sem, 0, 1, 0), s2;
    (void)state;

    expect_none_forced(sem);
    expect_choices(sem, wild, 1, s0, 0);
    expect_choices(sem, named, 0, 0, 0);
    assert_int_equal(sem_open_wildcard(sem, 1), wild);
    s2 = send(sem, 2, 1, 0);
    expect_choices(sem, wild, 2, s0, s2);
    sem_match(sem, s2, wild);
    assert_int_equal(sem_open_wildcard(sem, 1), OP_ID_NONE);
    expect_forced(sem, s0, named);
    expect_none_forced(sem);
    sem_free(sem);
}

/* The conditional order: the same two receives, posted the other way round. */
static void a_named_receive_comes_before_a_later_wildcard(void **state)
{
    struct sem *sem = world_of(3, SLACK_INFINITE);
    op_id named = receive(sem, 1, 0, 0), wild = receive(sem, 1, ANY, 0), s2 = send(sem, 2, 1, 0), s0, s1;
    (void)state;

    expect_choices(sem, wild, 1, s2, 0); /* rank 2's does not fit the named one */
    s0 = send(sem, 0, 1, 0);
    expect_choices(sem, wild, 1, s2, 0); /* rank 0's is the named one's */
    expect_forced(sem, s0, named);
    s1 = send(sem, 0, 1, 0);
    expect_choices(sem, wild, 2, s1, s2);
    sem_free(sem);
}

static void a_wildcard_has_one_choice_per_source(void **state)
{
    struct sem *sem = world_of(4, SLACK_INFINITE);
    op_id s3 = send(sem, 3, 0, 1), s1a = send(sem, 1, 0, 2), s1b = send(sem, 1, 0, 1), s2 = send(sem, 2, 0, 9);
    op_id r = receive(sem, 0, ANY, 1), any = receive(sem, 0, ANY, TAG_ANY), sends[4];
    (void)state;

    expect_choices(sem, r, 2, s1b, s3);
    /* s1a is first of its channel and fits; s3's first receive is r; s2 fits */
    expect_choices(sem, any, 2, s1a, s2);
    assert_int_equal(sem_open_wildcard(sem, 0), r);
    sem_match(sem, s3, r);
    assert_int_equal(sem_open_wildcard(sem, 0), any);
    sem_match(sem, s1a, any);
    any = receive(sem, 0, ANY, TAG_ANY);
    assert_int_equal(sem_choices(sem, any, sends), 2);
    assert_int_equal(sends[0], s1b);
    assert_int_equal(sends[1], s2);
    sem_free(sem);
}

/* M3 is per rank and communicator: a wildcard elsewhere blocks nothing. */
static void other_contexts_do_not_interfere(void **state)
{
    struct sem *sem = world_of(2, SLACK_INFINITE);
    op_id wild = sem_recv(sem, 1, ANY, OTHER, TAG_ANY, 0), r = receive(sem, 1, 0, 0), s = send(sem, 0, 1, 0), t;
    (void)state;

    expect_choices(sem, wild, 0, 0, 0);
    expect_forced(sem, s, r);
    t = sem_send(sem, 0, 1, OTHER, 0, SEND_STANDARD, 0, 0);
    expect_choices(sem, wild, 1, t, 0);
    sem_free(sem);
}

/* The crooked barrier: a pending wildcard may take what was sent after a barrier that follows it. */
static void a_pending_receive_outlives_a_barrier(void **state)
{
    struct sem *sem = world_of(3, SLACK_INFINITE);
    op_id wild = receive(sem, 1, ANY, 0), early = send(sem, 0, 1, 0), late;
    op_id part[3];
    (void)state;

    for (rank_t r = 0; r < 3; r++)
        part[r] = sem_coll(sem, r, WORLD, 0, 0, 3, NULL, 0, 0);
    for (rank_t r = 0; r < 3; r++)
        assert_true(is_complete(sem, part[r]));
    late = send(sem, 2, 1, 0);
    expect_choices(sem, wild, 2, early, late);
    sem_match(sem, late, wild);
    sem_free(sem);
}

static void messages_to_oneself(void **state)
{
    struct sem *sem = world_of(1, SLACK_ZERO);
    op_id r = receive(sem, 0, 0, 1), w = receive(sem, 0, ANY, TAG_ANY), s = send(sem, 0, 0, 1), t = send(sem, 0, 0, 1);
    const op_id all[] = {r, s};
    (void)state;

    assert_false(is_complete(sem, s));
    sem_await(sem, 0, AWAIT_ALL, all, 2);
    expect_none_ready(sem);
    expect_forced(sem, s, r);
    expect_ready(sem, 0);
    sem_go(sem, 0);
    expect_choices(sem, w, 1, t, 0);
    sem_match(sem, t, w);
    sem_retire(sem, r);
    sem_retire(sem, s);
    sem_retire(sem, t);
    sem_retire(sem, w);
    assert_int_equal(sem_live(sem), 0);
    sem_free(sem);
}

static void a_probe_sees_what_a_receive_would_take(void **state)
{
    struct sem *sem = world_of(3, SLACK_INFINITE);
    op_id s0 = send(sem, 0, 1, 4), s1 = send(sem, 0, 1, 5), wild, sends[3];
    (void)state;

    assert_int_equal(probed(sem, 1, 0, 4), s0);
    assert_int_equal(probed(sem, 1, 0, 5), s1);
    assert_int_equal(probed(sem, 1, 0, TAG_ANY), s0);
    assert_int_equal(probed(sem, 1, ANY, TAG_ANY), s0);
    assert_int_equal(probed(sem, 1, 2, TAG_ANY), OP_ID_NONE);
    assert_int_equal(sem_probe(sem, 1, ANY, OTHER, TAG_ANY, sends), 0);
    wild = receive(sem, 1, ANY, 4); /* will have s0, so the probe does not see it, nor anything behind it */
    assert_int_equal(probed(sem, 1, 0, 4), OP_ID_NONE);
    assert_int_equal(probed(sem, 1, ANY, TAG_ANY), OP_ID_NONE);
    assert_int_equal(probed(sem, 1, 0, 5), s1);
    sem_match(sem, s0, wild);
    assert_int_equal(probed(sem, 1, ANY, TAG_ANY), s1);
    send(sem, 2, 1, 5);
    assert_int_equal(sem_probe(sem, 1, ANY, WORLD, 5, sends), 2);
    assert_int_equal(sends[0], s1);
    sem_free(sem);
}

static void a_matched_probe_takes_what_it_saw(void **state)
{
    struct sem *sem = world_of(3, SLACK_INFINITE);
    op_id s, r, sends[3];
    (void)state;

    send(sem, 0, 1, 4);
    s = send(sem, 2, 1, 4);
    assert_int_equal(sem_probe(sem, 1, ANY, WORLD, 4, sends), 2);
    assert_int_equal(sends[1], s);
    r = sem_take(sem, s, 0);
    assert_true(sem_view(sem, s).matched);
    assert_int_equal(sem_view(sem, s).partner, r);
    assert_int_equal(sem_probe(sem, 1, ANY, WORLD, 4, sends), 1);
    expect_none_forced(sem);
    sem_free(sem);
}

static void what_was_taken_is_complete_when_it_is_received(void **state)
{
    struct sem *sem = world_of(2, SLACK_ZERO);
    op_id standard = send(sem, 0, 1, 4), buffered = sem_send(sem, 0, 1, WORLD, 5, SEND_BUFFERED, 0, 0);
    op_id synchronous = sem_send(sem, 0, 1, WORLD, 6, SEND_SYNCHRONOUS, 0, 0);
    op_id loose = send(sem, 0, 1, 7), all[] = {standard, synchronous};
    op_id first = sem_take(sem, standard, 0), second = sem_take(sem, buffered, 0);
    op_id third = sem_take(sem, synchronous, 0), fourth = sem_take(sem, loose, 0);
    rank_t r;
    (void)state;

    assert_false(is_complete(sem, standard) || is_complete(sem, synchronous) || is_complete(sem, loose));
    assert_false(is_complete(sem, first) || is_complete(sem, second));
    assert_true(is_complete(sem, buffered));
    assert_false(sem_withdraw(sem, synchronous)); /* D1 */
    assert_true(sem_view(sem, loose).loosens);
    assert_false(sem_view(sem, synchronous).loosens);
    sem_loosen(sem, loose);
    assert_true(is_complete(sem, loose));

    sem_await(sem, 0, AWAIT_ALL, all, 2);
    sem_receive(sem, first);
    sem_receive(sem, second);
    sem_receive(sem, fourth);
    assert_true(is_complete(sem, standard) && is_complete(sem, first) && is_complete(sem, second));
    assert_false(sem_next_ready(sem, &r));
    sem_receive(sem, third);
    assert_true(sem_next_ready(sem, &r));
    assert_int_equal(r, 0);
    sem_free(sem);
}

static void withdrawn_operations_step_aside(void **state)
{
    struct sem *sem = world_of(3, SLACK_ZERO);
    op_id wild = receive(sem, 1, ANY, TAG_ANY), r5 = receive(sem, 1, 0, 5), any = receive(sem, 1, 0, TAG_ANY);
    op_id r6 = receive(sem, 1, 0, 6), s6 = send(sem, 0, 1, 6), s5 = send(sem, 0, 1, 5);
    (void)state;

    expect_none_forced(sem);
    assert_true(sem_withdraw(sem, wild));
    assert_true(sem_withdraw(sem, wild));
    assert_true(is_complete(sem, wild));
    assert_false(sem_view(sem, wild).matched);
    expect_choices(sem, wild, 0, 0, 0);
    expect_choices(sem, r5, 1, s5, 0);
    expect_choices(sem, any, 1, s6, 0);
    assert_true(sem_withdraw(sem, any));
    expect_choices(sem, r6, 1, s6, 0);
    assert_true(sem_withdraw(sem, s6)); /* was about to be matched */
    assert_true(is_complete(sem, s6));
    expect_forced(sem, s5, r5);
    expect_none_forced(sem);
    assert_false(sem_withdraw(sem, s5));
    assert_true(sem_withdraw(sem, r6));
    sem_retire(sem, wild);
    sem_retire(sem, any);
    sem_retire(sem, s6);
    sem_retire(sem, s5);
    sem_retire(sem, r5);
    sem_retire(sem, r6);
    assert_int_equal(sem_live(sem), 0);
    sem_free(sem);
}

/* M6, M7 */
static void expect_complete(uint64_t slack, uint64_t bytes, bool standard)
{
    struct sem *sem = world_of(2, slack);
    op_id op[4];
    struct match match;

    for (int mode = 0; mode < 4; mode++)
        op[mode] = sem_send(sem, 0, 1, WORLD, 0, (enum send_mode)mode, bytes, 0);
    assert_int_equal(is_complete(sem, op[SEND_STANDARD]), standard);
    assert_int_equal(is_complete(sem, op[SEND_READY]), standard);
    assert_true(is_complete(sem, op[SEND_BUFFERED]));
    assert_false(is_complete(sem, op[SEND_SYNCHRONOUS]));
    for (int mode = 0; mode < 4; mode++) {
        op_id recv = receive(sem, 1, 0, 0);

        assert_false(is_complete(sem, recv));
        assert_true(sem_next_forced(sem, &match));
        assert_true(is_complete(sem, recv) && is_complete(sem, op[mode]));
    }
    sem_free(sem);
}

static void sends_complete_by_mode_and_slack(void **state)
{
    (void)state;
    expect_complete(SLACK_ZERO, 0, false);
    expect_complete(SLACK_ZERO, 100, false);
    expect_complete(SLACK_INFINITE, 0, true);
    expect_complete(SLACK_INFINITE, UINT64_MAX, true);
    expect_complete(100, 99, true);
    expect_complete(100, 100, false);
}

/* M5 */
static void a_barrier_waits_for_all(void **state)
{
    struct sem *sem = world_of(3, SLACK_ZERO);
    op_id part[3];
    (void)state;

    for (rank_t r = 2; r >= 0; r--) {
        part[r] = sem_coll(sem, r, WORLD, 0, 0, 3, NULL, 0, 0);
        sem_await(sem, r, AWAIT_ALL, &part[r], 1);
        assert_int_equal(sem_is_ready(sem, 2), r == 0);
    }
    for (int i = 0; i < 3; i++) {
        rank_t r;

        assert_true(sem_next_ready(sem, &r));
        sem_go(sem, r);
    }
    expect_none_ready(sem);
    for (rank_t r = 0; r < 3; r++)
        sem_retire(sem, part[r]);
    assert_int_equal(sem_live(sem), 0);
    sem_free(sem);
}

static void the_root_of_a_broadcast_runs_ahead(void **state)
{
    struct sem *sem = world_of(3, SLACK_ZERO);
    op_id root[10], part;
    (void)state;

    part = sem_coll(sem, 2, WORLD, 0, 1, 2, NULL, 0, 0);
    assert_false(is_complete(sem, part));
    for (uint32_t turn = 0; turn < 10; turn++) {
        root[turn] = sem_coll(sem, 1, WORLD, turn, 0, 0, NULL, 0, 0);
        assert_true(is_complete(sem, root[turn]));
    }
    assert_true(is_complete(sem, part));
    assert_int_equal(sem_coll_part(sem, part, 1), root[0]);
    assert_int_equal(sem_coll_part(sem, part, 2), part);
    assert_int_equal(sem_coll_part(sem, part, 0), OP_ID_NONE);
    part = sem_coll(sem, 0, WORLD, 0, 1, 2, NULL, 0, 0);
    assert_true(is_complete(sem, part));
    sem_free(sem);
}

static void a_scan_waits_for_the_lower(void **state)
{
    struct sem *sem = world_of(4, SLACK_ZERO);
    op_id part[4];
    static const rank_t order[] = {3, 1, 0, 2};
    static const char *const done[] = {"....", "....", "11..", "1111"};
    (void)state;

    for (int i = 0; i < 4; i++)
        part[i] = OP_ID_NONE;
    for (int i = 0; i < 4; i++) {
        part[order[i]] = sem_coll(sem, order[i], WORLD, 0, 0, (uint32_t)order[i] + 1, NULL, 0, 0);
        for (rank_t r = 0; r < 4; r++)
            assert_int_equal(part[r] && is_complete(sem, part[r]), done[i][r] == '1');
    }
    sem_free(sem);
}

static void the_root_of_a_reduce_waits_for_all(void **state)
{
    struct sem *sem = world_of(3, SLACK_ZERO);
    op_id root = sem_coll(sem, 0, WORLD, 0, 0, 3, NULL, 0, 0), part;
    (void)state;

    part = sem_coll(sem, 2, WORLD, 0, 0, 0, NULL, 0, 0);
    assert_true(is_complete(sem, part));
    assert_false(is_complete(sem, root));
    sem_coll(sem, 1, WORLD, 0, 0, 0, NULL, 0, 0);
    assert_true(is_complete(sem, root));
    sem_free(sem);
}

static void neighbours_wait_for_their_list(void **state)
{
    struct sem *sem = world_of(4, SLACK_ZERO);
    const uint32_t of0[] = {3, 1, 3, 0};
    op_id part = sem_coll(sem, 0, WORLD, 0, 0, 0, of0, 4, 0);
    (void)state;

    sem_coll(sem, 2, WORLD, 0, 0, 0, NULL, 0, 0);
    sem_coll(sem, 3, WORLD, 0, 0, 0, NULL, 0, 0);
    assert_false(is_complete(sem, part));
    sem_coll(sem, 1, WORLD, 0, 0, 0, NULL, 0, 0);
    assert_true(is_complete(sem, part));
    sem_free(sem);
}

/* M7: no slack at all, but for single operations. */
static void a_send_is_buffered_when_it_is_loosened(void **state)
{
    struct sem *sem = world_of(2, SLACK_TIGHT);
    op_id first = send(sem, 0, 1, 0), second = send(sem, 0, 1, 0), both[] = {first, second}, recv;
    op_id synchronous = sem_send(sem, 1, 0, WORLD, 0, SEND_SYNCHRONOUS, 0, 0);
    (void)state;

    assert_false(is_complete(sem, first) || is_complete(sem, second));
    assert_true(sem_view(sem, first).loosens);
    assert_false(sem_view(sem, synchronous).loosens);
    sem_loosen(sem, synchronous);
    assert_false(is_complete(sem, synchronous));
    sem_await(sem, 0, AWAIT_ALL, both, 2);
    sem_loosen(sem, second);
    assert_true(is_complete(sem, second) && !sem_view(sem, second).loosens && !sem_view(sem, second).matched);
    expect_none_ready(sem);
    recv = receive(sem, 1, 0, 0);
    expect_forced(sem, first, recv); /* it does not overtake */
    expect_ready(sem, 0);
    sem_free(sem);
}

static void a_loosened_collective_goes_by_its_data_flow(void **state)
{
    struct sem *sem = world_of(3, SLACK_TIGHT);
    op_id part[3];
    rank_t missing[3];
    (void)state;

    part[2] = sem_coll(sem, 2, WORLD, 0, 0, 1, NULL, 0, 0); /* a broadcast from 0 */
    assert_false(sem_view(sem, part[2]).loosens);
    part[0] = sem_coll(sem, 0, WORLD, 0, 0, 0, NULL, 0, 0);
    assert_false(is_complete(sem, part[0]) || is_complete(sem, part[2]));
    assert_true(sem_view(sem, part[0]).loosens && sem_view(sem, part[2]).loosens);
    assert_int_equal(sem_coll_missing(sem, part[0], missing), 1);
    assert_int_equal(missing[0], 1);
    sem_loosen(sem, part[0]);
    assert_true(is_complete(sem, part[0]));
    assert_false(is_complete(sem, part[2]));
    part[1] = sem_coll(sem, 1, WORLD, 0, 0, 1, NULL, 0, 0);
    assert_true(is_complete(sem, part[1]) && is_complete(sem, part[2]));
    for (rank_t r = 0; r < 3; r++)
        sem_retire(sem, part[r]);
    assert_int_equal(sem_live(sem), 0);
    sem_free(sem);
}

static void a_collective_can_be_loosened_before_its_data_is_there(void **state)
{
    struct sem *sem = world_of(3, SLACK_TIGHT);
    op_id part = sem_coll(sem, 2, WORLD, 0, 0, 1, NULL, 0, 0), barrier = sem_coll(sem, 2, WORLD, 1, 0, 3, NULL, 0, 0);
    (void)state;

    sem_loosen(sem, part);
    assert_false(is_complete(sem, part));
    sem_coll(sem, 0, WORLD, 0, 0, 0, NULL, 0, 0);
    assert_true(is_complete(sem, part));
    sem_loosen(sem, barrier); /* needs all anyway */
    sem_coll(sem, 0, WORLD, 1, 0, 3, NULL, 0, 0);
    assert_false(is_complete(sem, barrier) || sem_view(sem, barrier).loosens);
    sem_free(sem);
}

static uint64_t same_to_all(void *data, uint32_t user)
{
    (void)data;
    return user;
}

/* Who was last to join does not matter once all have; what has been loosened matters before that. */
static void a_digest_tells_what_can_follow(void **state)
{
    struct map_key digest[2];
    (void)state;

    for (int first = 0; first < 2; first++) {
        struct sem *sem = world_of(2, SLACK_TIGHT);

        sem_coll(sem, first, WORLD, 0, 0, 0, NULL, 0, (uint32_t)first);
        digest[0] = sem_digest(sem, same_to_all, NULL);
        sem_coll(sem, !first, WORLD, 0, 0, 0, NULL, 0, !first);
        assert_true(digest[0].low != sem_digest(sem, same_to_all, NULL).low);
        if (first)
            assert_true(digest[1].low == sem_digest(sem, same_to_all, NULL).low);
        digest[1] = sem_digest(sem, same_to_all, NULL);
        sem_free(sem);
    }
}

/* A message to rank 0 that nobody has received, as it was sent. */
struct pending {
    rank_t from;
    int tag;
    uint32_t user;
    bool loosened;
};

enum { PENDING = 40 };

static op_id send_pending(struct sem *sem, const struct pending *message)
{
    op_id id = sem_send(sem, message->from, 0, WORLD, message->tag, SEND_STANDARD, 8, message->user);

    if (message->loosened)
        sem_loosen(sem, id);
    return id;
}

static struct map_key digest_of_pending(const struct pending *message, int n)
{
    struct sem *sem = world_of(3, SLACK_ZERO);
    struct map_key digest;

    for (int i = 0; i < n; i++)
        send_pending(sem, &message[i]);
    digest = sem_digest(sem, same_to_all, NULL);
    sem_free(sem);
    return digest;
}

/* Which of those that are pending the next receive of this source and tag takes. */
static int first_alike(const struct pending *message, rank_t from, int tag)
{
    int i = 0;

    while (message[i].from != from || message[i].tag != tag)
        i++;
    return i;
}

static void forget_pending(struct pending *message, op_id *id, int i, int *n)
{
    --*n;
    memmove(&message[i], &message[i + 1], (size_t)(*n - i) * sizeof *message);
    memmove(&id[i], &id[i + 1], (size_t)(*n - i) * sizeof *id);
}

/* Two states, of which only one is asked at each step: of it, then, and of a copy of the other it is what it is of one in which nothing else was ever sent. */
static void a_digest_tells_what_is_pending_and_nothing_else(void **state)
{
    uint64_t random = 7;
    (void)state;

    for (int round = 0; round < 100; round++) {
        struct sem *asked = world_of(3, SLACK_ZERO), *silent = world_of(3, SLACK_ZERO), *copy;
        struct pending message[PENDING];
        op_id id[PENDING];
        int n = 0;

        for (int step = 0; step < 100; step++) {
            struct map_key digest;
            int i;

            random = random * 6364136223846793005 + 1442695040888963407;
            i = n ? (int)(random >> 40) % n : 0;
            if (n < PENDING && random >> 63) {
                message[n] = (struct pending){1 + (random >> 62 & 1), (int)(random >> 60 & 1), random >> 58 & 3, false};
                id[n] = send_pending(asked, &message[n]);
                assert_int_equal(send_pending(silent, &message[n]), id[n]);
                n++;
            } else if (n && random >> 61 & 1) {
                message[i].loosened = true;
                sem_loosen(asked, id[i]);
                sem_loosen(silent, id[i]);
            } else if (n) {
                rank_t from = message[i].from;
                int tag = message[i].tag;

                i = first_alike(message, from, tag);
                expect_forced(asked, id[i], receive(asked, 0, from, tag));
                expect_forced(silent, id[i], receive(silent, 0, from, tag));
                forget_pending(message, id, i, &n);
            }
            digest = sem_digest(asked, same_to_all, NULL);
            assert_true(map_key_is_same(digest, digest_of_pending(message, n)));
            copy = sem_clone(silent);
            assert_true(map_key_is_same(digest, sem_digest(copy, same_to_all, NULL)));
            sem_free(copy);
        }
        sem_free(asked);
        sem_free(silent);
    }
}

static void a_digest_tells_the_order_of_what_is_pending(void **state)
{
    const struct pending message[] = {{1, 0, 1, false}, {1, 1, 2, false}, {1, 0, 1, false}},
                         swapped[] = {{1, 1, 2, false}, {1, 0, 1, false}, {1, 0, 1, false}},
                         buffered[] = {{1, 0, 1, false}, {1, 1, 2, false}, {1, 0, 1, true}},
                         before[] = {{1, 0, 1, true}, {1, 1, 2, false}, {1, 0, 1, false}},
                         of_another[] = {{2, 0, 1, false}, {1, 1, 2, false}, {1, 0, 1, false}};
    struct map_key digest = digest_of_pending(message, 3);
    (void)state;

    assert_false(map_key_is_same(digest, digest_of_pending(message, 2)));
    assert_false(map_key_is_same(digest, digest_of_pending(swapped, 3)));
    assert_false(map_key_is_same(digest, digest_of_pending(buffered, 3)));
    assert_false(map_key_is_same(digest, digest_of_pending(of_another, 3)));
    assert_false(map_key_is_same(digest_of_pending(buffered, 3), digest_of_pending(before, 3)));
}

/* An intercommunicator: each side waits for the other one only. */
static void two_groups_wait_for_each_other(void **state)
{
    struct sem *sem = sem_new(5, SLACK_ZERO);
    const rank_t member[] = {4, 1, 0, 3};
    op_id first[2], second[2];
    (void)state;

    assert_int_equal(sem_context(sem, 9, 2, 4, member), 0);
    first[0] = sem_coll(sem, 4, 9, 0, 2, 4, NULL, 0, 0);
    second[0] = sem_coll(sem, 3, 9, 0, 0, 2, NULL, 0, 0);
    second[1] = sem_coll(sem, 0, 9, 0, 0, 2, NULL, 0, 0);
    assert_true(is_complete(sem, first[0]));
    assert_false(is_complete(sem, second[0]) || is_complete(sem, second[1]));
    first[1] = sem_coll(sem, 1, 9, 0, 2, 4, NULL, 0, 0);
    assert_true(is_complete(sem, first[1]) && is_complete(sem, second[0]) && is_complete(sem, second[1]));
    for (int i = 0; i < 2; i++) {
        sem_retire(sem, first[i]);
        sem_retire(sem, second[i]);
    }
    assert_int_equal(sem_live(sem), 0);
    sem_free(sem);
}

static void join_twice(struct sem *sem)
{
    sem_coll(sem, 0, WORLD, 0, 0, 0, NULL, 0, 0);
    sem_coll(sem, 0, WORLD, 0, 0, 0, NULL, 0, 0);
}

static void match_against_sender_order(struct sem *sem)
{
    op_id s;

    send(sem, 0, 1, 0);
    s = send(sem, 0, 1, 1);
    sem_match(sem, s, receive(sem, 1, ANY, TAG_ANY));
}

static void match_against_receiver_order(struct sem *sem)
{
    op_id s = send(sem, 0, 1, 0);

    receive(sem, 1, ANY, TAG_ANY);
    sem_match(sem, s, receive(sem, 1, 0, 0));
}

static void match_again(struct sem *sem)
{
    op_id s = send(sem, 0, 1, 0), r = receive(sem, 1, 0, 0);

    sem_match(sem, s, r);
    sem_match(sem, s, r);
}

static void match_two_sends(struct sem *sem)
{
    op_id s = send(sem, 0, 1, 0);

    sem_match(sem, s, s);
}

static void retire_twice(struct sem *sem)
{
    op_id s = send(sem, 0, 1, 0);

    sem_retire(sem, s);
    sem_retire(sem, s);
}

static void retire_awaited(struct sem *sem)
{
    op_id r = receive(sem, 1, 0, 0);

    sem_await(sem, 1, AWAIT_ALL, &r, 1);
    sem_retire(sem, r);
}

static void wait_twice(struct sem *sem)
{
    sem_await_probe(sem, 1, 0, WORLD, 0);
    sem_await_probe(sem, 1, 0, WORLD, 0);
}

static void wait_for_another_ranks(struct sem *sem)
{
    op_id r = receive(sem, 1, 0, 0);

    sem_await(sem, 0, AWAIT_ALL, &r, 1);
}

static void send_in_no_context(struct sem *sem)
{
    sem_send(sem, 0, 1, 1234, 0, SEND_STANDARD, 0, 0);
}

static void send_to_nobody(struct sem *sem)
{
    send(sem, 0, 2, 0);
}

static void view_nothing(struct sem *sem)
{
    sem_view(sem, 17);
}

static void misuse_is_noticed(void **state)
{
    static void (*const misuse[])(struct sem *) = {
        join_twice,   match_against_sender_order, match_against_receiver_order, match_again,        match_two_sends,
        retire_twice, retire_awaited,             wait_twice,                   send_in_no_context, send_to_nobody,
        view_nothing, wait_for_another_ranks};
    struct sem *sem = world_of(2, SLACK_INFINITE);
    (void)state;

    for (size_t i = 0; i < sizeof misuse / sizeof *misuse; i++)
        expect_bug(misuse[i], sem);
    sem_free(sem);
}

static void waiting_for_all(void **state)
{
    struct sem *sem = world_of(2, SLACK_INFINITE);
    op_id op[4];
    (void)state;

    op[0] = receive(sem, 1, 0, 0);
    op[1] = receive(sem, 1, 0, 1);
    op[2] = send(sem, 1, 0, 0);
    op[3] = op[1]; /* named twice, counted once */
    sem_await(sem, 1, AWAIT_ALL, op, 4);
    expect_none_ready(sem);
    expect_forced(sem, send(sem, 0, 1, 1), op[1]);
    expect_none_ready(sem);
    expect_forced(sem, send(sem, 0, 1, 0), op[0]);
    expect_ready(sem, 1);
    expect_none_ready(sem); /* once only */
    sem_go(sem, 1);
    assert_false(sem_is_ready(sem, 1));
    sem_await(sem, 1, AWAIT_ALL, op, 3); /* holds already */
    expect_ready(sem, 1);
    sem_go(sem, 1);
    sem_await(sem, 1, AWAIT_ALL, op, 0);
    expect_ready(sem, 1);
    sem_free(sem);
}

static void waiting_for_any(void **state)
{
    struct sem *sem = world_of(2, SLACK_INFINITE);
    op_id op[3];
    (void)state;

    for (int i = 0; i < 3; i++)
        op[i] = receive(sem, 1, 0, i);
    sem_await(sem, 1, AWAIT_ANY, op, 3);
    expect_none_ready(sem);
    expect_forced(sem, send(sem, 0, 1, 1), op[1]);
    expect_forced(sem, send(sem, 0, 1, 2), op[2]);
    expect_ready(sem, 1);
    expect_none_ready(sem);
    sem_go(sem, 1);
    sem_retire(sem, op[1]);
    sem_await(sem, 1, AWAIT_ANY, op + 2, 1);
    expect_ready(sem, 1);
    sem_go(sem, 1);
    sem_await(sem, 1, AWAIT_ANY, op, 1);
    assert_false(sem_is_ready(sem, 1));
    assert_true(sem_withdraw(sem, op[0])); /* a cancelled request completes */
    expect_ready(sem, 1);
    sem_free(sem);
}

static void waiting_for_an_envelope(void **state)
{
    struct sem *sem = world_of(3, SLACK_INFINITE);
    op_id r = receive(sem, 1, ANY, 0), s0, s1, s;
    (void)state;

    sem_await_probe(sem, 1, ANY, WORLD, 0);
    expect_none_ready(sem);
    s0 = send(sem, 0, 1, 0); /* for the pending receive */
    send(sem, 2, 1, 1);      /* another tag */
    expect_none_ready(sem);
    s1 = send(sem, 0, 1, 0); /* behind s0 */
    expect_none_ready(sem);
    sem_match(sem, s0, r);
    expect_ready(sem, 1);
    assert_int_equal(probed(sem, 1, ANY, 0), s1);
    assert_true(sem_withdraw(sem, s1)); /* gone before the rank went on */
    assert_false(sem_is_ready(sem, 1));
    s = send(sem, 2, 1, 0);
    expect_ready(sem, 1);
    sem_go(sem, 1);
    sem_await_probe(sem, 1, 2, WORLD, TAG_ANY);
    expect_ready(sem, 1);
    sem_go(sem, 1);
    sem_await_probe(sem, 1, 0, WORLD, 0);
    expect_none_ready(sem);
    s0 = send(sem, 0, 1, 0);
    assert_true(sem_withdraw(sem, s0)); /* gone before anybody was told */
    expect_none_ready(sem);
    sem_go(sem, 1); /* not ready: the wait just ends */
    assert_false(sem_view(sem, s).matched);
    sem_free(sem);
}

static void a_withdrawn_receive_uncovers_a_message(void **state)
{
    struct sem *sem = world_of(2, SLACK_INFINITE);
    op_id r = receive(sem, 1, ANY, 0);
    (void)state;

    send(sem, 0, 1, 0);
    sem_await_probe(sem, 1, 0, WORLD, 0);
    expect_none_ready(sem);
    assert_true(sem_withdraw(sem, r));
    expect_ready(sem, 1);
    sem_free(sem);
}

static void requests_given_up_still_match(void **state)
{
    struct sem *sem = world_of(2, SLACK_ZERO);
    op_id s = send(sem, 0, 1, 0), r;
    struct match match;
    (void)state;

    sem_retire(sem, s);
    assert_true(sem_live(sem) > 0);
    r = receive(sem, 1, 0, 0);
    expect_forced(sem, s, r);
    assert_int_equal(sem_view(sem, r).partner, s);
    assert_int_equal(sem_view(sem, s).owner, 0);
    sem_retire(sem, r);
    assert_int_equal(sem_live(sem), 0);
    /* Both ends given up: whoever makes the match can still look at it. */
    s = send(sem, 0, 1, 0);
    r = receive(sem, 1, 0, 0);
    sem_retire(sem, s);
    sem_retire(sem, r);
    expect_forced(sem, s, r);
    assert_int_equal(sem_view(sem, s).partner, r);
    assert_false(sem_next_forced(sem, &match));
    assert_int_equal(sem_live(sem), 0);
    sem_free(sem);
}

static void a_collective_is_kept_until_all_are_done(void **state)
{
    struct sem *sem = world_of(2, SLACK_ZERO);
    op_id root = sem_coll(sem, 0, WORLD, 0, 0, 0, NULL, 0, 11), other;
    (void)state;

    sem_retire(sem, root);
    other = sem_coll(sem, 1, WORLD, 0, 0, 1, NULL, 0, 0);
    assert_int_equal(sem_coll_part(sem, other, 0), root);
    assert_int_equal(sem_view(sem, root).user, 11);
    sem_retire(sem, other);
    assert_int_equal(sem_live(sem), 0);
    sem_free(sem);
}

/* M9: what sem_needs tells, in one word per need. */
struct told {
    char text[200];
    int n;
};

static void tell(void *data, const struct sem_need *need)
{
    struct told *told = data;
    size_t room = sizeof told->text - (size_t)told->n;

    told->n += snprintf(told->text + told->n, room, "%s%u%s", told->n ? " " : "", need->op, need->all ? "&" : "|");
    for (int i = 0; i < need->n; i++)
        told->n += snprintf(told->text + told->n, sizeof told->text - (size_t)told->n, "%d", need->ranks[i]);
}

static void expect_needs(const struct sem *sem, rank_t rank, int mode, const char *text)
{
    struct told told = {"", 0};

    assert_int_equal(sem_needs(sem, rank, tell, &told), mode);
    assert_string_equal(told.text, text);
}

static void needs_name_the_ranks_that_could_help(void **state)
{
    struct sem *sem = world_of(4, SLACK_ZERO);
    const rank_t pairs[] = {0, 1, 2, 3};
    const uint32_t listed[] = {3};
    op_id op[4];
    (void)state;

    assert_int_equal(sem_context(sem, 9, 2, 4, pairs), 0);
    expect_needs(sem, 0, -1, "");
    op[0] = receive(sem, 0, 2, 0);                        /* 1 */
    op[1] = receive(sem, 0, ANY, 0);                      /* 2 */
    op[2] = send(sem, 0, 3, 0);                           /* 3 */
    op[3] = sem_coll(sem, 0, WORLD, 0, 0, 2, listed, 1, 0); /* 4 */
    sem_await(sem, 0, AWAIT_ALL, op, 4);
    expect_needs(sem, 0, AWAIT_ALL, "1|2 2|123 3|3 4&13");
    expect_forced(sem, send(sem, 2, 0, 0), op[0]);
    sem_coll(sem, 1, WORLD, 0, 0, 0, NULL, 0, 0);
    expect_needs(sem, 0, AWAIT_ALL, "2|123 3|3 4&3");
    sem_go(sem, 0);
    sem_await_probe(sem, 1, ANY, 9, TAG_ANY);
    expect_needs(sem, 1, AWAIT_ANY, "0|23");
    sem_await_probe(sem, 2, 1, 9, TAG_ANY);
    expect_needs(sem, 2, AWAIT_ANY, "0|1");
    op[0] = sem_recv(sem, 3, ANY, 9, 0, 0);
    sem_await(sem, 3, AWAIT_ANY, op, 1);
    expect_needs(sem, 3, AWAIT_ANY, "7|01");
    sem_free(sem);
}

static void a_clone_lives_on_its_own(void **state)
{
    struct sem *sem = world_of(3, SLACK_ZERO), *copy;
    op_id wild = receive(sem, 1, ANY, 0), named = receive(sem, 1, 0, 0);
    op_id s0 = send(sem, 0, 1, 0), s2 = send(sem, 2, 1, 0);
    op_id part = sem_coll(sem, 2, WORLD, 0, 0, 3, NULL, 0, 0);
    const op_id all[] = {wild, named};
    (void)state;

    sem_await(sem, 1, AWAIT_ALL, all, 2);
    sem_await(sem, 2, AWAIT_ALL, &part, 1);
    copy = sem_clone(sem);
    sem_match(sem, s0, wild);
    sem_coll(sem, 0, WORLD, 0, 0, 0, NULL, 0, 0);
    expect_none_forced(sem);
    expect_none_ready(sem);
    expect_choices(copy, wild, 2, s0, s2);
    assert_int_equal(sem_coll_part(copy, part, 0), OP_ID_NONE);
    sem_free(sem);
    sem_match(copy, s2, wild);
    expect_forced(copy, s0, named);
    expect_ready(copy, 1);
    sem_coll(copy, 0, WORLD, 0, 0, 0, NULL, 0, 0);
    sem_coll(copy, 1, WORLD, 0, 0, 0, NULL, 0, 0);
    expect_ready(copy, 2);
    sem_free(copy);
    copy = sem_clone(sem = sem_new(2, SLACK_ZERO)); /* of nothing at all */
    sem_free(sem);
    sem_free(copy);
}

/*
 * Costs, in processor time.  The bounds are many times what it takes; anything
 * quadratic at these sizes takes minutes.
 */
static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void a_long_run_keeps_nothing(void **state)
{
    struct sem *sem = world_of(2, SLACK_INFINITE);
    double start = seconds();
    uint32_t most = 0;
    rank_t ready;
    (void)state;

    for (int i = 0; i < 10 * MANY; i++) {
        op_id s = send(sem, 0, 1, i), r; /* a new tag each time */

        sem_retire(sem, s);
        r = receive(sem, 1, 0, i);
        sem_await(sem, 1, AWAIT_ALL, &r, 1);
        most = sem_live(sem) > most ? sem_live(sem) : most;
        expect_forced(sem, s, r);
        while (sem_next_ready(sem, &ready))
            sem_go(sem, ready);
        sem_retire(sem, r);
    }
    assert_true(most < 10);
    assert_int_equal(sem_live(sem), 0);
    assert_true(seconds() - start < 20);
    sem_free(sem);
}

enum load { SENDS_FIRST, RECVS_FIRST, BEHIND_A_WILDCARD, TAGS_BEHIND_ANY, OWN_TAGS };

static void run_load(enum load load)
{
    struct sem *sem = world_of(2, SLACK_ZERO);
    op_id *r = calloc(MANY + 1, sizeof *r), *s = calloc(MANY, sizeof *s);
    double start = seconds();
    struct match match;
    int matched = 0, nr = 0;
    rank_t ready;

    if (load == BEHIND_A_WILDCARD || load == TAGS_BEHIND_ANY)
        r[nr++] = receive(sem, 1, ANY, load == BEHIND_A_WILDCARD ? 0 : TAG_ANY);
    for (int i = 0; load != SENDS_FIRST && nr < MANY; i++)
        r[nr++] = receive(sem, 1, load == OWN_TAGS ? ANY : 0, load == BEHIND_A_WILDCARD ? TAG_ANY : MANY - 1 - i);
    if (nr)
        sem_await(sem, 1, AWAIT_ALL, r, nr);
    for (int i = 0; i < MANY; i++) {
        s[i] = send(sem, 0, 1, i);
        while (sem_next_forced(sem, &match))
            matched++;
        if (load == OWN_TAGS && ++matched)
            sem_match(sem, s[i], sem_open_wildcard(sem, 1));
    }
    if ((load == BEHIND_A_WILDCARD || load == TAGS_BEHIND_ANY) && ++matched)
        sem_match(sem, s[0], r[0]);
    for (; load == SENDS_FIRST && nr < MANY; matched += sem_next_forced(sem, &match))
        r[nr] = receive(sem, 1, 0, MANY - 1 - nr), nr++;
    while (sem_next_forced(sem, &match))
        matched++;
    assert_int_equal(matched, MANY);
    if (load != SENDS_FIRST) {
        assert_true(sem_next_ready(sem, &ready));
        sem_go(sem, 1);
    }
    for (int i = 0; i < MANY; i++) {
        sem_retire(sem, r[i]);
        sem_retire(sem, s[i]);
    }
    assert_int_equal(sem_live(sem), 0);
    assert_true(seconds() - start < 10);
    free(r);
    free(s);
    sem_free(sem);
}

static void many_pending_operations_cost_no_more(void **state)
{
    (void)state;
    for (int load = SENDS_FIRST; load <= OWN_TAGS; load++)
        run_load((enum load)load);
}

static void many_collectives_keep_nothing(void **state)
{
    enum { RANKS = 50 };
    struct sem *sem = world_of(RANKS, SLACK_ZERO);
    double start = seconds();
    op_id part[RANKS];
    (void)state;

    for (uint32_t turn = 0; turn < MANY / RANKS; turn++) {
        for (rank_t r = RANKS - 1; r >= 0; r--)
            part[r] = sem_coll(sem, r, WORLD, turn, 0, turn % 2 ? RANKS : (uint32_t)r + 1, NULL, 0, 0);
        for (rank_t r = 0; r < RANKS; r++) {
            assert_true(is_complete(sem, part[r]));
            sem_retire(sem, part[r]);
        }
        assert_int_equal(sem_live(sem), 0);
    }
    assert_true(seconds() - start < 10);
    sem_free(sem);
}

/* What fits is more than what may match: M3 left aside. */
static void fitting_is_more_than_eligible(void **state)
{
    struct sem *sem = world_of(4, SLACK_INFINITE);
    op_id a = receive(sem, 0, ANY, 5), b = receive(sem, 0, ANY, 6), c = receive(sem, 0, ANY, 5),
          all = receive(sem, 0, ANY, TAG_ANY);
    op_id s1 = send(sem, 1, 0, 5), s2 = send(sem, 2, 0, 5), s3 = send(sem, 3, 0, 6), t1 = send(sem, 1, 0, 7);
    op_id ops[4];

    (void)state;
    assert_int_equal(sem_open_wildcards(sem, 0, ops, 4), 2); /* for tag 7, s1 is still before t1 (M2) */
    assert_int_equal(ops[0], a);
    assert_int_equal(ops[1], b);
    assert_int_equal(sem_open_wildcards(sem, 0, ops, 1), 2);
    assert_int_equal(sem_open_wildcards(sem, 1, ops, 4), 0);
    assert_int_equal(sem_fitting(sem, 0, ANY, WORLD, 5, ops), 2);
    assert_int_equal(ops[0], s1);
    assert_int_equal(ops[1], s2);
    assert_int_equal(sem_fitting(sem, 0, ANY, WORLD, TAG_ANY, ops), 3);
    assert_int_equal(sem_fitting(sem, 0, 3, WORLD, TAG_ANY, ops), 1);
    assert_int_equal(ops[0], s3);
    assert_int_equal(sem_fitting(sem, 0, 3, WORLD, 5, ops), 0);
    assert_int_equal(sem_fitting(sem, 0, ANY, OTHER, 5, ops), 0);
    assert_int_equal(sem_first_recv(sem, s1), a);
    assert_int_equal(sem_first_recv(sem, t1), all);
    sem_match(sem, s1, a);
    assert_int_equal(sem_first_recv(sem, s1), OP_ID_NONE);
    assert_int_equal(sem_first_recv(sem, s2), c);
    assert_int_equal(sem_open_wildcards(sem, 0, ops, 4), 3);
    assert_int_equal(ops[0], b);
    assert_int_equal(ops[1], c);
    assert_int_equal(ops[2], all);
    sem_free(sem);
}

static void what_is_held_is_not_forced(void **state)
{
    struct sem *sem = world_of(2, SLACK_INFINITE);
    op_id recv = receive(sem, 0, 1, 5), s1, s2;

    (void)state;
    sem_hold(sem, recv, true);
    s1 = send(sem, 1, 0, 5);
    s2 = send(sem, 1, 0, 5);
    expect_none_forced(sem);
    expect_choices(sem, recv, 1, s1, OP_ID_NONE);
    assert_true(sem_view(sem, recv).held);
    sem_hold(sem, recv, false);
    sem_hold(sem, s1, true);
    expect_none_forced(sem);
    assert_true(sem_withdraw(sem, s1));
    expect_forced(sem, s2, recv);
    expect_none_forced(sem);
    sem_free(sem);
}

static void a_collective_knows_who_is_missing(void **state)
{
    struct sem *sem = world_of(3, SLACK_INFINITE);
    op_id id = sem_coll(sem, 1, WORLD, 0, 0, 3, NULL, 0, 0);
    rank_t ranks[3];

    (void)state;
    assert_int_equal(sem_coll_missing(sem, id, ranks), 2);
    assert_int_equal(ranks[0], 0);
    assert_int_equal(ranks[1], 2);
    sem_coll(sem, 0, WORLD, 0, 0, 0, NULL, 0, 0);
    assert_int_equal(sem_coll_missing(sem, id, ranks), 1);
    sem_free(sem);
}

static void what_did_not_meet(void **state)
{
    struct sem *sem = world_of(3, SLACK_INFINITE);
    op_id gone = send(sem, 1, 0, 3), first = send(sem, 2, 0, 7), second = send(sem, 1, 0, 5), other = send(sem, 0, 2, 5);
    op_id taken = receive(sem, 0, 1, 3), named = receive(sem, 0, 1, 6), any = receive(sem, 0, ANY, 6), ops[8];

    (void)state;
    expect_forced(sem, gone, taken);
    assert_int_equal(sem_unmatched(sem, 0, ops, 8), 4);
    assert_int_equal(ops[0], first);
    assert_int_equal(ops[1], second);
    assert_int_equal(ops[2], named);
    assert_int_equal(ops[3], any);
    assert_true(sem_withdraw(sem, named));
    assert_int_equal(sem_unmatched(sem, 0, ops, 1), 3);
    assert_int_equal(sem_unmatched(sem, 2, ops, 8), 1);
    assert_int_equal(ops[0], other);
    assert_int_equal(sem_unmatched(sem, 1, ops, 8), 0);
    sem_free(sem);
}

static void parts_of_envelopes_that_differ(void **state)
{
    struct sem *sem = world_of(3, SLACK_INFINITE);
    op_id message = send(sem, 2, 0, 7);

    (void)state;
    assert_int_equal(sem_unlike(sem, message, 0, 2, WORLD, 7), 0);
    assert_int_equal(sem_unlike(sem, message, 0, ANY, WORLD, TAG_ANY), 0);
    assert_int_equal(sem_unlike(sem, message, 0, 2, OTHER, 7), UNLIKE_CONTEXT);
    assert_int_equal(sem_unlike(sem, message, 1, 2, WORLD, 7), UNLIKE_DESTINATION);
    assert_int_equal(sem_unlike(sem, message, 0, 1, WORLD, 7), UNLIKE_SOURCE);
    assert_int_equal(sem_unlike(sem, message, 0, 2, WORLD, 5), UNLIKE_TAG);
    assert_int_equal(sem_unlike(sem, message, 0, 1, OTHER, 5), UNLIKE_CONTEXT | UNLIKE_SOURCE | UNLIKE_TAG);
    sem_free(sem);
}

static op_id send_in_order(struct sem *sem, rank_t from, rank_t to, int tag, rank_t after, bool calm)
{
    return sem_send_in_order(sem, from, to, WORLD, tag, SEND_BUFFERED, 8, 0, (struct send_order){after, TAG_ANY, calm});
}

static uint64_t no_identity(void *data, uint32_t user)
{
    (void)data;
    return user;
}

/* Windows: what belongs to an epoch is kept back until the request for it was received. */
static void kept_back_until_another_is_received(void **state)
{
    struct sem *sem = world_of(4, SLACK_INFINITE), *copy;
    op_id lock = send(sem, 0, 2, 1), access = send_in_order(sem, 0, 3, 5, 2, false), first, second;
    struct map_key with = sem_digest(sem, no_identity, NULL);

    (void)state;
    assert_true(sem_view(sem, access).complete);
    assert_true(sem_keeps_back(sem, 3, 0, WORLD, 5));
    assert_false(sem_keeps_back(sem, 3, 0, WORLD, 6));
    assert_false(sem_keeps_back(sem, 3, 1, WORLD, 5));
    assert_int_equal(sem_held_up_by(sem, 0), 2);
    first = receive(sem, 3, ANY, TAG_ANY);
    expect_choices(sem, first, 0, 0, 0);
    copy = sem_clone(sem);
    second = receive(sem, 2, ANY, TAG_ANY);
    sem_match(sem, lock, second);
    assert_false(sem_keeps_back(sem, 3, 0, WORLD, 5));
    assert_int_equal(sem_held_up_by(sem, 0), RANK_NONE);
    expect_choices(sem, first, 1, access, 0);
    expect_choices(copy, first, 0, 0, 0);
    assert_false(map_key_is_same(with, sem_digest(sem, no_identity, NULL)));
    sem_free(copy);
    sem_free(sem);
}

/* A release never overtakes its lock, nor the next request the release, though their tags differ. */
static void kept_back_behind_its_own_kind(void **state)
{
    struct sem *sem = world_of(3, SLACK_INFINITE);
    op_id lock = send_in_order(sem, 0, 2, 1, 2, false), release = send_in_order(sem, 0, 2, 2, 2, false);
    op_id again = send_in_order(sem, 0, 2, 1, 2, false), recv;

    (void)state;
    recv = receive(sem, 2, ANY, 2);
    expect_choices(sem, recv, 0, 0, 0);
    assert_true(sem_withdraw(sem, recv));
    recv = receive(sem, 2, ANY, TAG_ANY);
    expect_choices(sem, recv, 1, lock, 0);
    sem_match(sem, lock, recv);
    recv = receive(sem, 2, ANY, TAG_ANY);
    expect_choices(sem, recv, 1, release, 0);
    sem_match(sem, release, recv);
    recv = receive(sem, 2, ANY, TAG_ANY);
    expect_choices(sem, recv, 1, again, 0);
    sem_free(sem);
}

/* Two locks and releases in a row: the first release is let go late, and what was called behind it stays behind it. */
static void kept_back_behind_what_was_let_go(void **state)
{
    struct sem *sem = world_of(3, SLACK_INFINITE);
    op_id lock = send_in_order(sem, 0, 2, 1, 2, false), release = send_in_order(sem, 0, 2, 2, 2, false), recv;

    (void)state;
    send_in_order(sem, 0, 2, 1, 2, false);
    send_in_order(sem, 0, 2, 2, 2, false);
    recv = receive(sem, 2, ANY, TAG_ANY);
    sem_match(sem, lock, recv);
    recv = receive(sem, 2, ANY, 1);
    expect_choices(sem, recv, 0, 0, 0);
    assert_true(sem_withdraw(sem, recv));
    recv = receive(sem, 2, ANY, 2);
    sem_match(sem, release, recv);
    recv = receive(sem, 2, ANY, 2);
    expect_choices(sem, recv, 0, 0, 0);
    sem_free(sem);
}

/* What belongs to an epoch waits for the request for it, also if that was kept back itself, behind the end of the epoch before. */
static void kept_back_until_one_kept_back_is_received(void **state)
{
    struct sem *sem = world_of(4, SLACK_INFINITE);
    op_id release = send_in_order(sem, 0, 2, 2, 2, false), lock = send_in_order(sem, 0, 2, 1, 2, false);
    op_id access = send_in_order(sem, 0, 3, 5, 2, false), memory = receive(sem, 3, ANY, TAG_ANY);

    (void)state;
    sem_match(sem, release, receive(sem, 2, ANY, TAG_ANY));
    expect_choices(sem, memory, 0, 0, 0);
    assert_true(sem_keeps_back(sem, 3, 0, WORLD, 5));
    sem_match(sem, lock, receive(sem, 2, ANY, TAG_ANY));
    expect_choices(sem, memory, 1, access, 0);
    sem_free(sem);
}

/*
 * An epoch without accesses is over, though its exclusive lock was not granted (1, 4).  A shared lock of the same rank (2) is not behind it, nor
 * is an access under that; but both are behind an earlier shared lock, and what gives the exclusive one back is behind that.
 */
static void kept_back_behind_some_tags_only(void **state)
{
    struct sem *sem = world_of(4, SLACK_INFINITE);
    struct send_order shared = {.after = 2, .after_tag = 2};
    op_id earlier = sem_send_in_order(sem, 0, 2, WORLD, 2, SEND_BUFFERED, 8, 0, shared);
    op_id alone = send_in_order(sem, 0, 2, 1, 2, false), back = send_in_order(sem, 0, 2, 4, 2, false);
    op_id share = sem_send_in_order(sem, 0, 2, WORLD, 2, SEND_BUFFERED, 8, 0, shared);
    op_id access = sem_send_in_order(sem, 0, 3, WORLD, 5, SEND_BUFFERED, 8, 0, shared), recv, memory = receive(sem, 3, ANY, TAG_ANY);
    struct map_key before = sem_digest(sem, no_identity, NULL);

    (void)state;
    recv = receive(sem, 2, ANY, 2);
    expect_choices(sem, recv, 1, earlier, 0);
    sem_match(sem, earlier, recv);
    expect_choices(sem, memory, 0, 0, 0);
    recv = receive(sem, 2, ANY, 2);
    expect_choices(sem, recv, 1, share, 0);
    sem_match(sem, share, recv);
    expect_choices(sem, memory, 1, access, 0);
    recv = receive(sem, 2, ANY, 4);
    expect_choices(sem, recv, 0, 0, 0);
    assert_true(sem_withdraw(sem, recv));
    recv = receive(sem, 2, ANY, TAG_ANY);
    expect_choices(sem, recv, 1, alone, 0);
    sem_match(sem, alone, recv);
    recv = receive(sem, 2, 0, 4);
    expect_forced(sem, back, recv);
    assert_false(map_key_is_same(before, sem_digest(sem, no_identity, NULL)));
    sem_free(sem);
}

/* What commutes with everything is no choice, and comes in the order in which it was sent, whoever sent it. */
static void calm_ones_are_forced_in_order(void **state)
{
    struct sem *sem = world_of(4, SLACK_INFINITE);
    op_id late = send_in_order(sem, 2, 0, 5, RANK_NONE, true), early = send_in_order(sem, 1, 0, 5, RANK_NONE, true);
    op_id choice = send(sem, 3, 0, 5), behind = send_in_order(sem, 3, 0, 5, RANK_NONE, true);
    op_id recv = receive(sem, 0, ANY, TAG_ANY);

    (void)state;
    expect_forced(sem, late, recv);
    recv = receive(sem, 0, ANY, TAG_ANY);
    expect_forced(sem, early, recv);
    recv = receive(sem, 0, ANY, TAG_ANY);
    expect_none_forced(sem); /* of one rank, no message overtakes another */
    expect_choices(sem, recv, 1, choice, 0);
    sem_match(sem, choice, recv);
    recv = receive(sem, 0, ANY, TAG_ANY);
    expect_forced(sem, behind, recv);
    expect_none_forced(sem);
    sem_free(sem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_back_until_another_is_received),
        cmocka_unit_test(kept_back_behind_its_own_kind),
        cmocka_unit_test(kept_back_behind_some_tags_only),
        cmocka_unit_test(kept_back_behind_what_was_let_go),
        cmocka_unit_test(kept_back_until_one_kept_back_is_received),
        cmocka_unit_test(calm_ones_are_forced_in_order),
        cmocka_unit_test(contexts),
        cmocka_unit_test(a_context_goes_when_all_have_left_and_nothing_is_pending),
        cmocka_unit_test(envelopes_must_agree),
        cmocka_unit_test(a_view_shows_the_envelope),
        cmocka_unit_test(sends_do_not_overtake),
        cmocka_unit_test(any_tag_of_a_named_source_is_forced),
        cmocka_unit_test(receives_are_served_in_order),
        cmocka_unit_test(forced_matches_follow_each_other),
        cmocka_unit_test(a_wildcard_blocks_a_later_named_receive),
        cmocka_unit_test(a_named_receive_comes_before_a_later_wildcard),
        cmocka_unit_test(a_wildcard_has_one_choice_per_source),
        cmocka_unit_test(other_contexts_do_not_interfere),
        cmocka_unit_test(a_pending_receive_outlives_a_barrier),
        cmocka_unit_test(messages_to_oneself),
        cmocka_unit_test(a_probe_sees_what_a_receive_would_take),
        cmocka_unit_test(a_matched_probe_takes_what_it_saw),
        cmocka_unit_test(what_was_taken_is_complete_when_it_is_received),
        cmocka_unit_test(what_needs_nobody_is_complete),
        cmocka_unit_test(withdrawn_operations_step_aside),
        cmocka_unit_test(sends_complete_by_mode_and_slack),
        cmocka_unit_test(a_barrier_waits_for_all),
        cmocka_unit_test(the_root_of_a_broadcast_runs_ahead),
        cmocka_unit_test(a_scan_waits_for_the_lower),
        cmocka_unit_test(the_root_of_a_reduce_waits_for_all),
        cmocka_unit_test(neighbours_wait_for_their_list),
        cmocka_unit_test(a_send_is_buffered_when_it_is_loosened),
        cmocka_unit_test(a_loosened_collective_goes_by_its_data_flow),
        cmocka_unit_test(a_collective_can_be_loosened_before_its_data_is_there),
        cmocka_unit_test(a_digest_tells_what_can_follow),
        cmocka_unit_test(a_digest_tells_what_is_pending_and_nothing_else),
        cmocka_unit_test(a_digest_tells_the_order_of_what_is_pending),
        cmocka_unit_test(two_groups_wait_for_each_other),
        cmocka_unit_test(misuse_is_noticed),
        cmocka_unit_test(waiting_for_all),
        cmocka_unit_test(waiting_for_any),
        cmocka_unit_test(waiting_for_an_envelope),
        cmocka_unit_test(a_withdrawn_receive_uncovers_a_message),
        cmocka_unit_test(requests_given_up_still_match),
        cmocka_unit_test(a_collective_is_kept_until_all_are_done),
        cmocka_unit_test(needs_name_the_ranks_that_could_help),
        cmocka_unit_test(a_clone_lives_on_its_own),
        cmocka_unit_test(a_long_run_keeps_nothing),
        cmocka_unit_test(many_pending_operations_cost_no_more),
        cmocka_unit_test(fitting_is_more_than_eligible),
        cmocka_unit_test(what_is_held_is_not_forced),
        cmocka_unit_test(a_collective_knows_who_is_missing),
        cmocka_unit_test(what_did_not_meet),
        cmocka_unit_test(parts_of_envelopes_that_differ),
        cmocka_unit_test(many_collectives_keep_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
