#include "sem/queue.h"

#include "sem/chain.h"

static struct map_key pattern(uint32_t context, rank_t to, rank_t from, int tag)
{
    return map_key2((uint64_t)context << 32 | (uint32_t)to, (uint64_t)(uint32_t)from << 32 | (uint32_t)tag);
}

static struct rail queues(struct sem *sem)
{
    return RAIL(sem->queue.at, link);
}

uint32_t queue_find(const struct sem *sem, uint32_t context, rank_t to, rank_t from, int tag)
{
    return map_find(&sem->queues, pattern(context, to, from, tag), 0);
}

static uint32_t obtain_queue(struct sem *sem, uint32_t context, rank_t to, rank_t from, int tag)
{
    uint32_t i = queue_find(sem, context, to, from, tag), up = 0;
    struct queue *queue;

    if (i)
        return i;
    if (tag != TAG_ANY)
        up = obtain_queue(sem, context, to, from, TAG_ANY);
    else if (from != RANK_ANY)
        up = obtain_queue(sem, context, to, RANK_ANY, TAG_ANY);
    i = pool_take(&sem->queue);
    queue = &sem->queue.at[i];
    queue->context = context;
    queue->to = to;
    queue->from = from;
    queue->tag = tag;
    queue->up = up;
    map_put(&sem->queues, pattern(context, to, from, tag), i);
    if (up) {
        sem->queue.at[up].hanging++;
        sem->queue.at[up].wild += from == RANK_ANY;
    }
    return i;
}

static void drop_empty_queues(struct sem *sem, uint32_t i)
{
    while (i) {
        struct queue *queue = &sem->queue.at[i];
        uint32_t up = queue->up;

        if (queue->sends.first || queue->recvs.first || queue->hanging)
            return;
        if (up) {
            sem->queue.at[up].hanging--;
            sem->queue.at[up].wild -= queue->from == RANK_ANY;
        }
        map_remove(&sem->queues, pattern(queue->context, queue->to, queue->from, queue->tag));
        pool_give(&sem->queue, i);
        i = up;
    }
}

enum { KEPT_MOST = 1024 };

void sem_keep_queues(struct sem *sem)
{
    sem->keeps_queues = true;
}

/* If there are too many, as of a program that counts its messages in their tags, all begin anew. */
static void let_kept_queues_go(struct sem *sem)
{
    for (uint32_t i = 1; i < sem->queue.n; i++)
        if (sem->queue.at[i].kept) {
            sem->queue.at[i].kept = false;
            queue_release(sem, i);
        }
    sem->kept_queues = 0;
}

static uint32_t file_queue(struct sem *sem, uint32_t context, rank_t to, rank_t from, int tag)
{
    if (sem->kept_queues == KEPT_MOST)
        let_kept_queues_go(sem);
    uint32_t i = obtain_queue(sem, context, to, from, tag);
    if (sem->keeps_queues && !sem->queue.at[i].kept) {
        sem->queue.at[i].kept = true;
        queue_hold(sem, i);
        sem->kept_queues++;
    }
    return i;
}

void queue_hold(struct sem *sem, uint32_t i)
{
    sem->queue.at[i].hanging++;
}

void queue_release(struct sem *sem, uint32_t i)
{
    sem->queue.at[i].hanging--;
    drop_empty_queues(sem, i);
}

uint32_t queue_mailbox(const struct sem *sem, uint32_t i)
{
    while (sem->queue.at[i].up)
        i = sem->queue.at[i].up;
    return i;
}

void queue_add_send(struct sem *sem, op_id id)
{
    struct oper *send = op_to_change(sem, id);
    struct queue *queue, *channel;

    send->queue = file_queue(sem, send->context, send->peer, send->owner, send->tag);
    queue = &sem->queue.at[send->queue];
    channel = &sem->queue.at[queue->up];
    if (!channel->sends.first)
        list_append(&sem->queue.at[channel->up].channels, queues(sem), queue->up);
    list_append(&queue->sends, op_links(sem, BY_TAG), id);
    list_append(&channel->sends, op_links(sem, BY_CHANNEL), id);
    list_append(&rank_at(sem, send->peer)->incoming, op_links(sem, INCOMING), id);
    rank_at(sem, send->peer)->incomings++;
}

void queue_drop_send(struct sem *sem, op_id id)
{
    struct oper *send = op_to_change(sem, id);
    struct queue *queue = &sem->queue.at[send->queue];
    struct queue *channel = &sem->queue.at[queue->up];

    chain_leave(sem, id);
    list_unlink(&queue->sends, op_links(sem, BY_TAG), id);
    list_unlink(&channel->sends, op_links(sem, BY_CHANNEL), id);
    list_unlink(&rank_at(sem, send->peer)->incoming, op_links(sem, INCOMING), id);
    rank_at(sem, send->peer)->incomings--;
    if (!channel->sends.first)
        list_unlink(&sem->queue.at[channel->up].channels, queues(sem), queue->up);
    drop_empty_queues(sem, send->queue);
    send->queue = 0;
}

static void list_wild(struct sem *sem, uint32_t queue, bool on)
{
    struct rank_queues *rank = rank_at(sem, sem->queue.at[queue].to);

    (on ? list_append : list_unlink)(&rank->wild, queues(sem), queue);
    rank->wilds += on ? 1 : -1u;
}

void queue_add_recv(struct sem *sem, op_id id)
{
    struct oper *recv = op_to_change(sem, id);
    struct queue *queue;

    recv->queue = file_queue(sem, recv->context, recv->owner, recv->peer, recv->tag);
    queue = &sem->queue.at[recv->queue];
    if (recv->peer == RANK_ANY && !queue->recvs.first)
        list_wild(sem, recv->queue, true);
    list_append(&queue->recvs, op_links(sem, BY_PATTERN), id);
    if (recv->peer != RANK_ANY && recv->tag != TAG_ANY && queue_any_tag_posted(sem, queue->up) != UINT64_MAX) {
        list_append(&sem->queue.at[queue->up].behind, op_links(sem, BEHIND), id);
        recv->behind = true;
    }
}

void queue_step_out(struct sem *sem, op_id id)
{
    struct oper *recv = op_to_change(sem, id);

    if (recv->behind)
        list_unlink(&sem->queue.at[sem->queue.at[recv->queue].up].behind, op_links(sem, BEHIND), id);
    recv->behind = false;
}

void queue_set_forced(struct sem *sem, op_id id, bool forced)
{
    if (op_at(sem, id)->forced == forced)
        return;
    op_to_change(sem, id)->forced = forced;
    (forced ? list_append : list_unlink)(&sem->forced, op_links(sem, FORCED), id);
}

void queue_drop_recv(struct sem *sem, op_id id)
{
    struct oper *recv = op_to_change(sem, id);
    struct queue *queue = &sem->queue.at[recv->queue];

    queue_step_out(sem, id);
    queue_set_forced(sem, id, false);
    list_unlink(&queue->recvs, op_links(sem, BY_PATTERN), id);
    if (recv->peer == RANK_ANY && !queue->recvs.first)
        list_wild(sem, recv->queue, false);
    drop_empty_queues(sem, recv->queue);
    recv->queue = 0;
}

op_id queue_first_send(const struct sem *sem, uint32_t context, rank_t to, rank_t from, int tag)
{
    uint32_t queue = queue_find(sem, context, to, from, tag);

    return queue ? sem->queue.at[queue].sends.first : OP_ID_NONE;
}

/* The earlier posted of `best` and the first receive of a queue; each may be none. */
static op_id earlier(const struct sem *sem, op_id best, uint32_t queue)
{
    op_id first = sem->queue.at[queue].recvs.first;

    if (!first || (best && op_known(sem, best)->posted < op_known(sem, first)->posted))
        return best;
    return first;
}

op_id queue_first_recv(const struct sem *sem, op_id send)
{
    uint32_t queue = op_known(sem, send)->queue, channel = sem->queue.at[queue].up, mailbox = sem->queue.at[channel].up;
    const struct queue *wanted = &sem->queue.at[queue];
    op_id first = earlier(sem, earlier(sem, wanted->recvs.first, channel), mailbox);

    if (sem->queue.at[mailbox].wild) {
        uint32_t wild = queue_find(sem, wanted->context, wanted->to, RANK_ANY, wanted->tag);

        if (wild)
            first = earlier(sem, first, wild);
    }
    return first;
}

uint64_t queue_any_tag_posted(const struct sem *sem, uint32_t channel)
{
    op_id first = earlier(sem, sem->queue.at[channel].recvs.first, sem->queue.at[channel].up);

    return first ? op_known(sem, first)->posted : UINT64_MAX;
}
