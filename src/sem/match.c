/*
 * match -- which sends may complete which receives (M1-M4).
 *
 * A pair may match iff the send is the first of its channel that fits the
 * receive (M2) and the receive is the first posted that fits the send (M3), both
 * among the unmatched.  So at most one receive is eligible for a send, and at
 * most one send per channel for a receive.
 *
 * Forced pairs are noticed when they come up, never searched for.  A pair comes
 * up when one end is posted, or when what stood before it goes away; watch_*
 * below name the few pairs for which that can be, in each case.  Once there, a
 * forced pair cannot be lost except by withdrawal, so the receives concerned
 * simply queue up in `forced`.
 */
#include <stdlib.h>

#include "sem/queue.h"
#include "sem/invariants.h"
#include "sem/state.h"

static void watch_send(struct sem *sem, op_id send)
{
    op_id recv = send ? queue_first_recv(sem, send) : OP_ID_NONE;

    if (recv && op_known(sem, recv)->peer != RANK_ANY && sem->queue.at[op_known(sem, recv)->queue].sends.first == send)
        queue_set_forced(sem, recv, true);
}

static void watch_recv(struct sem *sem, op_id recv)
{
    op_id send = sem->queue.at[op_known(sem, recv)->queue].sends.first;

    if (send && queue_first_recv(sem, send) == recv)
        queue_set_forced(sem, recv, true);
}

/*
 * A receive for any tag has left the channel.  It stood before every later one;
 * now only its successor does.  A receive for any tag can come up only with the
 * channel's first send.  Those with a tag come up if no other for any tag is
 * before them, and each of them gets out of `behind` only once.
 */
static void watch_channel(struct sem *sem, uint32_t channel)
{
    uint64_t until = queue_any_tag_posted(sem, channel);
    op_id recv;

    watch_send(sem, sem->queue.at[channel].sends.first);
    while ((recv = sem->queue.at[channel].behind.first) && op_known(sem, recv)->posted < until) {
        queue_step_out(sem, recv);
        watch_recv(sem, recv);
    }
}

/*
 * A send has left.  The next one of its tag fits the same receives and takes its
 * place, so nothing comes up there that was not up already; the next one of the
 * channel may come up.
 */
static void watch_after_send(struct sem *sem, uint32_t queue)
{
    watch_send(sem, sem->queue.at[sem->queue.at[queue].up].sends.first);
}

/* A receive of this source and tag has left: for each channel it stood on, the sends it stood before. */
static void watch_after_recv(struct sem *sem, uint32_t mailbox, rank_t from, int tag)
{
    uint32_t context = sem->queue.at[mailbox].context, channel;
    rank_t to = sem->queue.at[mailbox].to;

    if (from != RANK_ANY && tag != TAG_ANY) {
        watch_send(sem, queue_first_send(sem, context, to, from, tag));
    } else if (from != RANK_ANY) {
        channel = queue_find(sem, context, to, from, TAG_ANY);
        if (channel)
            watch_channel(sem, channel);
    } else {
        for (channel = sem->queue.at[mailbox].channels.first; channel; channel = sem->queue.at[channel].link.next) {
            if (tag == TAG_ANY)
                watch_channel(sem, channel);
            else
                watch_send(sem, queue_first_send(sem, context, to, sem->queue.at[channel].from, tag));
        }
    }
}

/* M7 */
static bool slack_buffers(const struct sem *sem, uint64_t bytes)
{
    return sem->slack == SLACK_INFINITE || sem->slack == SLACK_WAITING ||
           (sem->slack != SLACK_TIGHT && bytes < sem->slack);
}

void match_file_send(struct sem *sem, op_id id)
{
    queue_add_send(sem, id);
    watch_send(sem, id);
    if (op_known(sem, id)->calm)
        vec_push(&sem->calm, id);
    wait_stir(sem, op_known(sem, id)->context, op_known(sem, id)->peer);
}

op_id sem_send(struct sem *sem, rank_t from, rank_t to, context_t context, int tag, enum send_mode mode, uint64_t bytes,
               uint32_t user)
{
    return sem_send_in_order(sem, from, to, context, tag, mode, bytes, user, (struct send_order){.after = RANK_NONE});
}

op_id sem_send_in_order(struct sem *sem, rank_t from, rank_t to, context_t context, int tag, enum send_mode mode,
                        uint64_t bytes, uint32_t user, struct send_order order)
{
    uint32_t index = context_index(sem, context);
    struct oper *op;
    op_id id;

    rank_at(sem, to);
    if (tag < 0)
        BUG("send with tag %d", tag);
    id = op_new(sem, SEM_SEND, from, to, index, tag, user);
    op = op_to_change(sem, id);
    op->bytes = bytes;
    op->calm = order.calm;
    op->after = order.after;
    op->after_tag = order.after_tag;
    if (order.after == RANK_NONE || !order_keeps_back(sem, id))
        match_file_send(sem, id);
    op->tight = mode != SEND_SYNCHRONOUS;
    if (mode == SEND_BUFFERED || (mode != SEND_SYNCHRONOUS && slack_buffers(sem, bytes)))
        op_complete(sem, id);
    return id;
}

op_id sem_recv(struct sem *sem, rank_t at, rank_t from, context_t context, int tag, uint32_t user)
{
    uint32_t index = context_index(sem, context);
    op_id id;

    if (from != RANK_ANY)
        rank_at(sem, from);
    if (tag < 0 && tag != TAG_ANY)
        BUG("receive with tag %d", tag);
    id = op_new(sem, SEM_RECV, at, from, index, tag, user);
    queue_add_recv(sem, id);
    if (from != RANK_ANY)
        watch_recv(sem, id);
    wait_stir(sem, index, at);
    return id;
}

bool sem_withdraw(struct sem *sem, op_id id)
{
    struct oper *op = op_to_change(sem, id);
    uint32_t queue = op->queue;

    CHECKED(sem_check_step(sem));
    if (op->kind == SEM_COLL || op->kind == SEM_DONE || op->matched || op->withdrawn)
        return op->withdrawn;
    if (op->retired)
        BUG("operation %u is withdrawn after it was given up", id);
    op->withdrawn = true;
    queue_hold(sem, queue);
    if (op->kind == SEM_SEND) {
        queue_drop_send(sem, id);
        watch_after_send(sem, queue);
        wait_stir(sem, op->context, op->peer);
    } else {
        queue_drop_recv(sem, id);
        watch_after_recv(sem, queue_mailbox(sem, queue), op->peer, op->tag);
        wait_stir(sem, op->context, op->owner);
    }
    queue_release(sem, queue);
    op_complete(sem, id);
    return true;
}

bool sem_may_escape(const struct sem *sem, op_id id)
{
    const struct oper *op = op_at(sem, id);

    return op->kind == SEM_SEND && !op->matched && !op->withdrawn &&
           (op->complete || (op->tight && sem->slack == SLACK_TIGHT));
}

void sem_hold(struct sem *sem, op_id id, bool hold)
{
    if (op_at(sem, id)->held != hold)
        op_to_change(sem, id)->held = hold;
}

static void forget_calm(struct sem *sem, op_id send)
{
    size_t kept = 0;

    for (size_t i = 0; i < sem->calm.n; i++)
        if (sem->calm.at[i] != send)
            sem->calm.at[kept++] = sem->calm.at[i];
    sem->calm.n = kept;
}

static void join_pair(struct sem *sem, op_id s, op_id r)
{
    struct oper *send = op_to_change(sem, s), *recv = op_to_change(sem, r);
    uint32_t queue = send->queue;

    queue_hold(sem, queue);
    queue_drop_send(sem, s);
    queue_drop_recv(sem, r);
    if (send->calm)
        forget_calm(sem, s);
    send->matched = recv->matched = true;
    send->partner = r;
    recv->partner = s;
    watch_after_send(sem, queue);
    watch_after_recv(sem, queue_mailbox(sem, queue), recv->peer, recv->tag);
    queue_release(sem, queue);
    wait_stir(sem, recv->context, recv->owner);
    order_let_go(sem, s);
}

static void pair(struct sem *sem, op_id s, op_id r)
{
    join_pair(sem, s, r);
    op_complete(sem, s);
    op_complete(sem, r);
    if (op_known(sem, s)->retired && op_known(sem, r)->retired)
        sem->spent = (struct match){s, r};
}

static void bury_spent(struct sem *sem)
{
    CHECKED(sem_check_step(sem));
    if (!sem->spent.send)
        return;
    op_free(sem, sem->spent.send);
    op_free(sem, sem->spent.recv);
    sem->spent = (struct match){0};
}

static bool eligible(const struct sem *sem, op_id send, op_id recv)
{
    uint32_t queue = op_known(sem, send)->queue;

    if (queue_first_recv(sem, send) != recv)
        return false;
    if (op_known(sem, recv)->tag == TAG_ANY)
        queue = sem->queue.at[queue].up;
    return sem->queue.at[queue].sends.first == send;
}

/* The first of the calm sends that a receive could take. */
static bool pair_calm(struct sem *sem, struct match *match)
{
    for (size_t i = 0; i < sem->calm.n; i++) {
        op_id send = sem->calm.at[i], recv = queue_first_recv(sem, send);

        if (!recv || !eligible(sem, send, recv))
            continue;
        pair(sem, send, recv);
        *match = (struct match){send, recv};
        return true;
    }
    return false;
}

bool sem_next_forced(struct sem *sem, struct match *match)
{
    op_id recv, send, next;

    bury_spent(sem);
    for (recv = sem->forced.first; recv; recv = next) {
        next = op_known(sem, recv)->link[FORCED].next;
        send = sem->queue.at[op_known(sem, recv)->queue].sends.first;
        /* Held: it stays on the list, for when it is let go or the send withdrawn. */
        if (op_known(sem, recv)->held || (send && op_known(sem, send)->held))
            continue;
        queue_set_forced(sem, recv, false);
        if (send && queue_first_recv(sem, send) == recv) { /* else a send was withdrawn */
            pair(sem, send, recv);
            *match = (struct match){send, recv};
            return true;
        }
    }
    return pair_calm(sem, match);
}

/* Before a match that the caller has chosen. */
static void expect_eligible(struct sem *sem, op_id s, op_id r)
{
    const struct oper *send = op_at(sem, s), *recv = op_at(sem, r);

    if (send->kind != SEM_SEND || recv->kind != SEM_RECV || !send->queue || !recv->queue || !eligible(sem, s, r))
        BUG("send %u and receive %u may not match", s, r);
    bury_spent(sem);
}

void sem_match(struct sem *sem, op_id send, op_id recv)
{
    expect_eligible(sem, send, recv);
    pair(sem, send, recv);
}

/* By a receive that names it: what a probe sees, no other one stands before. */
op_id sem_take(struct sem *sem, op_id send, uint32_t user)
{
    struct sem_view view = sem_view(sem, send);
    op_id recv = sem_recv(sem, view.peer, view.owner, view.context, view.tag, user);

    expect_eligible(sem, send, recv);
    join_pair(sem, send, recv);
    return recv;
}

void sem_receive(struct sem *sem, op_id taken)
{
    const struct oper *recv = op_at(sem, taken);

    CHECKED(sem_check_step(sem));
    if (recv->kind != SEM_RECV || !recv->matched || recv->complete)
        BUG("operation %u is no message that was taken", taken);
    op_complete(sem, recv->partner);
    op_complete(sem, taken);
}

static int by_source(const void *a, const void *b, void *sem)
{
    return op_at(sem, *(const op_id *)a)->owner - op_at(sem, *(const op_id *)b)->owner;
}

/*
 * The sends that are first for such a receive, and for which `recv` is first in
 * turn: what it may take if it is one of the unmatched, what a receive posted
 * now could take if it is OP_ID_NONE.
 */
static int gather_first_sends(const struct sem *sem, uint32_t context, rank_t at, rank_t from, int tag, op_id recv,
                              op_id *sends, int room)
{
    uint32_t mailbox, channel;
    op_id send;
    int n = 0;

    if (from != RANK_ANY) {
        sends[0] = queue_first_send(sem, context, at, from, tag);
        return sends[0] && queue_first_recv(sem, sends[0]) == recv;
    }
    mailbox = queue_find(sem, context, at, RANK_ANY, TAG_ANY);
    channel = mailbox ? sem->queue.at[mailbox].channels.first : 0;
    for (; channel && n < room; channel = sem->queue.at[channel].link.next) {
        send = tag == TAG_ANY ? sem->queue.at[channel].sends.first
                              : queue_first_send(sem, context, at, sem->queue.at[channel].from, tag);
        if (send && queue_first_recv(sem, send) == recv)
            sends[n++] = send;
    }
    if (n > 1)
        qsort_r(sends, (size_t)n, sizeof *sends, by_source, (void *)sem);
    return n;
}

static int choices(const struct sem *sem, op_id id, op_id *sends, int room)
{
    const struct oper *recv = op_at(sem, id);

    if (recv->kind != SEM_RECV)
        BUG("operation %u is no receive", id);
    if (!recv->queue)
        return 0;
    return gather_first_sends(sem, recv->context, recv->owner, recv->peer, recv->tag, id, sends, room);
}

int sem_choices(const struct sem *sem, op_id recv, op_id *sends)
{
    return choices(sem, recv, sends, sem->ranks);
}

static bool is_posted_before(const struct sem *sem, op_id recv, op_id best)
{
    return !best || op_known(sem, recv)->posted < op_known(sem, best)->posted;
}

/* Only the first of each queue can have a choice: it fits whatever the later ones fit (M3). */
static op_id open_by_queue(const struct sem *sem, uint32_t queue)
{
    op_id best = OP_ID_NONE, send;

    for (; queue; queue = sem->queue.at[queue].link.next) {
        op_id recv = sem->queue.at[queue].recvs.first;

        if (is_posted_before(sem, recv, best) && choices(sem, recv, &send, 1))
            best = recv;
    }
    return best;
}

static op_id open_by_send(const struct sem *sem, op_id send)
{
    op_id best = OP_ID_NONE;

    for (; send; send = op_known(sem, send)->link[INCOMING].next) {
        op_id recv = queue_first_recv(sem, send);

        if (recv && op_known(sem, recv)->peer == RANK_ANY && is_posted_before(sem, recv, best) && eligible(sem, send, recv))
            best = recv;
    }
    return best;
}

/* Many receives may wait for few sends, or the other way round: look through the fewer. */
op_id sem_open_wildcard(const struct sem *sem, rank_t at)
{
    const struct rank_queues *rank = rank_at(sem, at);

    if (rank->incomings < rank->wilds)
        return open_by_send(sem, rank->incoming.first);
    return open_by_queue(sem, rank->wild.first);
}

static int by_posting(const void *a, const void *b, void *sem)
{
    uint64_t x = op_at(sem, *(const op_id *)a)->posted, y = op_at(sem, *(const op_id *)b)->posted;

    return x < y ? -1 : x > y;
}

int sem_open_wildcards(const struct sem *sem, rank_t at, op_id *recvs, int room)
{
    int n = 0;
    op_id send;

    for (uint32_t queue = rank_at(sem, at)->wild.first; queue; queue = sem->queue.at[queue].link.next) {
        op_id recv = sem->queue.at[queue].recvs.first;

        if (!choices(sem, recv, &send, 1))
            continue;
        if (n < room)
            recvs[n] = recv;
        n++;
    }
    if (n > 1 && n <= room)
        qsort_r(recvs, (size_t)n, sizeof *recvs, by_posting, (void *)sem);
    return n;
}

int sem_unmatched(const struct sem *sem, rank_t at, op_id *ops, int room)
{
    int sends = 0, n;

    for (op_id id = rank_at(sem, at)->incoming.first; id; id = op_known(sem, id)->link[INCOMING].next, sends++)
        if (sends < room)
            ops[sends] = id;
    n = sends;
    for (op_id id = 1; id < sem->op.n; id++) {
        const struct oper *op = op_known(sem, id);

        if (!op->used || op->kind != SEM_RECV || !op->queue || op->owner != at)
            continue;
        if (n < room)
            ops[n] = id;
        n++;
    }
    if (n - sends > 1 && n <= room)
        qsort_r(ops + sends, (size_t)(n - sends), sizeof *ops, by_posting, (void *)sem);
    return n;
}

/* M1 itself, which the queues answer by their patterns. */
unsigned sem_unlike(const struct sem *sem, op_id id, rank_t at, rank_t from, context_t context, int tag)
{
    const struct oper *send = op_at(sem, id);

    if (send->kind != SEM_SEND)
        BUG("operation %u is no send", id);
    return (sem->context.at[send->context].id != context ? UNLIKE_CONTEXT : 0) |
           (send->peer != at ? UNLIKE_DESTINATION : 0) |
           (!sem_fits(send->owner, send->tag, from, TAG_ANY) ? UNLIKE_SOURCE : 0) |
           (!sem_fits(send->owner, send->tag, RANK_ANY, tag) ? UNLIKE_TAG : 0);
}

op_id sem_first_recv(const struct sem *sem, op_id id)
{
    const struct oper *send = op_at(sem, id);

    if (send->kind != SEM_SEND)
        BUG("operation %u is no send", id);
    return send->queue ? queue_first_recv(sem, id) : OP_ID_NONE;
}

int sem_fitting(const struct sem *sem, rank_t at, rank_t from, context_t context, int tag, op_id *sends)
{
    uint32_t index = context_index(sem, context), mailbox, channel;
    int n = 0;

    if (from != RANK_ANY) {
        sends[0] = queue_first_send(sem, index, at, from, tag);
        return sends[0] != OP_ID_NONE;
    }
    mailbox = queue_find(sem, index, at, RANK_ANY, TAG_ANY);
    channel = mailbox ? sem->queue.at[mailbox].channels.first : 0;
    for (; channel; channel = sem->queue.at[channel].link.next) {
        op_id send = tag == TAG_ANY ? sem->queue.at[channel].sends.first
                                    : queue_first_send(sem, index, at, sem->queue.at[channel].from, tag);

        if (send)
            sends[n++] = send;
    }
    if (n > 1)
        qsort_r(sends, (size_t)n, sizeof *sends, by_source, (void *)sem);
    return n;
}

int sem_probe(const struct sem *sem, rank_t at, rank_t from, context_t context, int tag, op_id *sends)
{
    return gather_first_sends(sem, context_index(sem, context), at, from, tag, OP_ID_NONE, sends, sem->ranks);
}

bool probe_holds(const struct sem *sem, uint32_t context, rank_t at, rank_t from, int tag)
{
    op_id send;

    return gather_first_sends(sem, context, at, from, tag, OP_ID_NONE, &send, 1) != 0;
}
