/*
 * invariants_queue -- unmatched sends and receives are on the lists where queue.c and match.c look for them.
 *
 * A list is sound by itself, and holds only what says that it is there; so if all lists of a kind together hold as many
 * as there should be, each is on exactly one.
 */
#include "sem/chain.h"
#include "sem/invariants_parts.h"
#include "sem/queue.h"

/* What the lists hold all together. */
struct tally {
    uint32_t by_tag, by_channel, incoming; /* sends */
    uint32_t by_pattern, behind;           /* receives */
    uint32_t channels, wild;               /* queues */
};

/* Which operations a list of a queue is for. */
static bool belongs(const struct sem *sem, op_id id, int link, enum sem_kind kind, uint32_t queue)
{
    const struct oper *op = op_known(sem, id);
    uint32_t own = op->queue;

    if (!op->used || op->kind != kind || !own || own >= sem->queue.n)
        return false;
    if (kind == SEM_SEND && link == INCOMING)
        return op->peer == sem->queue.at[queue].to;
    if (link == BY_TAG) /* and BY_PATTERN */
        return own == queue;
    return sem->queue.at[own].up == queue && (kind == SEM_SEND || op->behind);
}

static uint32_t check_list(const struct sem *sem, const struct list *list, int link, enum sem_kind kind, uint32_t queue)
{
    uint64_t before = 0;
    uint32_t n = invariants_of_list("a list of a queue", list, op_links(sem, link), sem->op.n);

    for (op_id id = list->first; id; id = op_known(sem, id)->link[link].next) {
        INVARIANT(belongs(sem, id, link, kind, queue), "operation %u is in queue %u, where it does not belong", id,
                  queue);
        INVARIANT(op_known(sem, id)->posted > before, "operation %u is in its queue before one that was posted earlier",
                  id);
        before = op_known(sem, id)->posted;
    }
    return n;
}

static bool is_channel(const struct queue *queue)
{
    return queue->from != RANK_ANY && queue->tag == TAG_ANY;
}

static bool is_mailbox(const struct queue *queue)
{
    return queue->from == RANK_ANY && queue->tag == TAG_ANY;
}

static void check_up(const struct sem *sem, uint32_t i)
{
    const struct queue *queue = &sem->queue.at[i];
    rank_t from = queue->tag == TAG_ANY ? RANK_ANY : queue->from;
    uint32_t up = is_mailbox(queue) ? 0 : queue_find(sem, queue->context, queue->to, from, TAG_ANY);

    INVARIANT(queue->up == up && (up || is_mailbox(queue)), "queue %u hangs on %u instead of %u", i, queue->up, up);
}

static void check_hanging(const struct sem *sem)
{
    uint32_t *hanging = xcalloc(sem->queue.n + 1, 2 * sizeof *hanging), *wild = hanging + sem->queue.n, kept = 0;

    for (size_t s = 0; s < sem->queues.cap; s++) {
        const struct queue *queue = &sem->queue.at[sem->queues.slot[s].value];

        if (!sem->queues.slot[s].full)
            continue;
        hanging[queue->up]++;
        wild[queue->up] += queue->from == RANK_ANY;
    }
    for (size_t s = 0; s < sem->queues.cap; s++) {
        uint32_t i = sem->queues.slot[s].value;
        const struct queue *queue = &sem->queue.at[i];

        if (!sem->queues.slot[s].full)
            continue;
        kept += queue->kept;
        INVARIANT(queue->hanging == hanging[i] + queue->kept && queue->wild == wild[i],
                  "on queue %u hang %u others and it says %u", i, hanging[i], queue->hanging);
        INVARIANT(queue->hanging || queue->sends.first || queue->recvs.first, "queue %u is kept for nothing", i);
    }
    INVARIANT(kept == sem->kept_queues, "%u queues are kept, and %u are said to be", kept, sem->kept_queues);
    free(hanging);
}

static void check_queue(const struct sem *sem, uint32_t i, struct tally *tally)
{
    const struct queue *queue = &sem->queue.at[i];
    bool by_tag = queue->from != RANK_ANY && queue->tag != TAG_ANY;
    uint32_t n;

    check_up(sem, i);
    n = check_list(sem, &queue->sends, is_channel(queue) ? BY_CHANNEL : BY_TAG, SEM_SEND, i);
    INVARIANT(n == 0 || by_tag || is_channel(queue), "sends are in queue %u, which is for receives", i);
    tally->by_tag += by_tag ? n : 0;
    tally->by_channel += is_channel(queue) ? n : 0;
    tally->channels += is_channel(queue) && n > 0;
    if (is_channel(queue))
        chain_check_invariants(sem, i);
    n = check_list(sem, &queue->recvs, BY_PATTERN, SEM_RECV, i);
    tally->by_pattern += n;
    tally->wild += queue->from == RANK_ANY && n > 0;
    tally->behind += check_list(sem, &queue->behind, BEHIND, SEM_RECV, i);
}

static void check_channels(const struct sem *sem, uint32_t mailbox, struct tally *tally)
{
    const struct list *list = &sem->queue.at[mailbox].channels;

    tally->channels -= invariants_of_list("the channels of a mailbox", list, RAIL(sem->queue.at, link), sem->queue.n);
    for (uint32_t i = list->first; i; i = sem->queue.at[i].link.next)
        INVARIANT(sem->queue.at[i].up == mailbox && sem->queue.at[i].sends.first, "queue %u is no channel with sends",
                  i);
}

static void check_rank_queues(const struct sem *sem, rank_t at, struct tally *tally)
{
    const struct rank_queues *rank = &sem->rank[at + 1];
    uint32_t n = invariants_of_list("a rank's wildcards", &rank->wild, RAIL(sem->queue.at, link), sem->queue.n);

    for (uint32_t i = rank->wild.first; i; i = sem->queue.at[i].link.next)
        INVARIANT(sem->queue.at[i].to == at && sem->queue.at[i].from == RANK_ANY && sem->queue.at[i].recvs.first,
                  "queue %u has no receives from any source at rank %d", i, at);
    INVARIANT(n == rank->wilds, "rank %d has %u queues of wildcards and says %u", at, n, rank->wilds);
    tally->wild -= n;
    n = invariants_of_list("the sends to a rank", &rank->incoming, op_links(sem, INCOMING), sem->op.n);
    for (op_id id = rank->incoming.first; id; id = op_known(sem, id)->link[INCOMING].next)
        INVARIANT(op_known(sem, id)->used && op_known(sem, id)->kind == SEM_SEND && op_known(sem, id)->queue &&
                      op_known(sem, id)->peer == at,
                  "operation %u is no unmatched send to rank %d", id, at);
    INVARIANT(n == rank->incomings, "%u sends to rank %d are unmatched and it says %u", n, at, rank->incomings);
    tally->incoming += n;
}

/* Every forced pair has been noticed, and who stands behind a receive for any tag is on the list of these. */
static void check_named(const struct sem *sem, op_id id)
{
    const struct oper *recv = op_known(sem, id);
    const struct queue *queue = &sem->queue.at[recv->queue];
    op_id send = queue->sends.first;

    INVARIANT(recv->forced || !send || queue_first_recv(sem, send) != id,
              "send %u and receive %u are a forced pair that was overlooked", send, id);
    if (recv->tag != TAG_ANY && queue_any_tag_posted(sem, queue->up) < recv->posted)
        INVARIANT(recv->behind, "receive %u stands behind one for any tag, unnoticed", id);
}

static void check_unmatched(const struct sem *sem, struct tally *tally)
{
    uint32_t forced = invariants_of_list("the forced receives", &sem->forced, op_links(sem, FORCED), sem->op.n);

    for (op_id id = 1; id < sem->op.n; id++) {
        const struct oper *op = op_known(sem, id);

        if (!op->used || op->kind == SEM_COLL || op->kind == SEM_DONE || !op->queue)
            continue;
        tally->by_tag -= op->kind == SEM_SEND;
        tally->by_channel -= op->kind == SEM_SEND;
        tally->incoming -= op->kind == SEM_SEND;
        tally->by_pattern -= op->kind == SEM_RECV;
        tally->behind -= op->behind;
        forced -= op->forced;
        if (op->kind == SEM_RECV && op->peer != RANK_ANY)
            check_named(sem, id);
    }
    for (op_id id = sem->forced.first; id; id = op_known(sem, id)->link[FORCED].next)
        INVARIANT(op_known(sem, id)->used && op_known(sem, id)->forced, "operation %u is forced by mistake", id);
    INVARIANT(forced == 0, "the list of the forced is not that of those that are");
}

void invariants_of_queues(const struct sem *sem)
{
    struct tally tally = {0};

    INVARIANTS_OF_POOL(&sem->queue, "queues");
    INVARIANT(sem->queues.n == sem->queue.used, "%zu queues are known, and %u are taken", sem->queues.n,
              sem->queue.used);
    for (size_t s = 0; s < sem->queues.cap; s++)
        if (sem->queues.slot[s].full)
            check_queue(sem, sem->queues.slot[s].value, &tally);
    for (size_t s = 0; s < sem->queues.cap; s++)
        if (sem->queues.slot[s].full && is_mailbox(&sem->queue.at[sem->queues.slot[s].value]))
            check_channels(sem, sem->queues.slot[s].value, &tally);
    for (rank_t at = 0; at < sem->ranks; at++)
        check_rank_queues(sem, at, &tally);
    check_unmatched(sem, &tally);
    INVARIANT(!tally.by_tag && !tally.by_channel && !tally.incoming, "an unmatched send is not on its lists, or twice");
    INVARIANT(!tally.by_pattern && !tally.behind, "an unmatched receive is not on its lists, or twice");
    INVARIANT(!tally.channels && !tally.wild, "a queue is not on its list, or twice");
    if (sem->queue.n)
        check_hanging(sem);
}
