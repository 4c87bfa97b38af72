/*
 * digest -- what of a state matters for what can happen from there.
 *
 * That is: per channel the unmatched sends in their order (chain.h), per rank the unmatched
 * receives in theirs, collectives that somebody is still in, and communicators.
 * Not the order in which different ranks did something, nor the names of
 * operations.
 */
#include "base/hash.h"
#include "sem/chain.h"

struct digest {
    struct sem *sem;
    sem_identity *identity;
    void *data;
    struct map_key sum;
};

static void stir_op(const struct digest *digest, struct map_key *sum, const struct oper *op)
{
    chain_stir_op(sum, op, digest->identity(digest->data, op->user));
}

static void add_channel(struct digest *digest, uint32_t at)
{
    const struct queue *channel = &digest->sem->queue.at[at];
    struct map_key sum = {(uint64_t)channel->to + 1, (uint64_t)channel->from + 1};

    hash_stir(&sum, digest->sem->context.at[channel->context].id);
    hash_stir_key(&sum, chain_sum(digest->sem, at, digest->identity, digest->data));
    hash_add(&digest->sum, sum);
}

static void add_sends(struct digest *digest)
{
    const struct sem *sem = digest->sem;

    for (uint32_t i = 1; i < sem->queue.n; i++)
        if (sem->queue.at[i].sends.first && sem->queue.at[i].tag == TAG_ANY)
            add_channel(digest, i);
}

struct waiting_recv {
    rank_t owner;
    uint64_t posted;
    op_id id;
};

static int by_owner_and_posting(const void *a, const void *b)
{
    const struct waiting_recv *x = a, *y = b;

    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    return x->posted < y->posted ? -1 : x->posted > y->posted;
}

static void add_recvs(struct digest *digest)
{
    const struct sem *sem = digest->sem;
    VEC(struct waiting_recv) recv = {0};

    for (uint32_t i = 1; i < sem->queue.n; i++)
        for (op_id id = sem->queue.at[i].recvs.first; id; id = op_known(sem, id)->link[BY_PATTERN].next)
            vec_push(&recv, (struct waiting_recv){op_known(sem, id)->owner, op_known(sem, id)->posted, id});
    if (recv.n > 1)
        qsort(recv.at, recv.n, sizeof *recv.at, by_owner_and_posting);
    for (size_t i = 0; i < recv.n; i++) {
        hash_stir(&digest->sum, (uint64_t)recv.at[i].owner);
        stir_op(digest, &digest->sum, op_known(sem, recv.at[i].id));
    }
    vec_release(&recv);
}

/* Sends that are kept back are in no queue; of one rank, in the order in which it posted them, and with what they wait for. */
static void add_kept_back(struct digest *digest)
{
    const struct sem *sem = digest->sem;

    for (size_t i = 0; i < sem->kept_back.n; i++) {
        const struct oper *op = op_known(sem, sem->kept_back.at[i]);
        struct map_key sum = {(uint64_t)op->owner + 1, (uint64_t)op->peer + 1};
        uint32_t before = 0;

        for (size_t k = 0; k < i; k++)
            before += op_known(sem, sem->kept_back.at[k])->owner == op->owner;
        hash_stir(&sum, (uint64_t)before << 32 | (uint32_t)op->after);
        hash_stir(&sum, (uint64_t)order_waits_for(sem, op) << 32 | (uint32_t)op->after_tag);
        stir_op(digest, &sum, op);
        hash_add(&digest->sum, sum);
    }
}

/* Meetings that exist are those that somebody is still in. */
static void add_meeting(struct digest *digest, const struct collective_instance *instance)
{
    const struct sem *sem = digest->sem;
    struct map_key sum = HASH_START;

    hash_stir(&sum, sem->context.at[instance->context].id);
    hash_stir(&sum, instance->turn);
    for (uint32_t p = 0; p < instance->members; p++) {
        op_id part = sem->seats.at[instance->seats + p].part;

        hash_stir(&sum, part != OP_ID_NONE);
        if (part)
            stir_op(digest, &sum, op_known(sem, part));
    }
    hash_add(&digest->sum, sum);
}

static void add_contexts(struct digest *digest)
{
    const struct sem *sem = digest->sem;

    for (size_t i = 0; i < sem->contexts.cap; i++) {
        struct map_key sum = HASH_START;

        if (!sem->contexts.slot[i].full)
            continue;
        hash_stir(&sum, sem->contexts.slot[i].key.low);
        hash_stir(&sum, sem->context.at[sem->contexts.slot[i].value].left);
        hash_add(&digest->sum, sum);
    }
}

struct map_key sem_digest(struct sem *sem, sem_identity *identity, void *data)
{
    struct digest digest = {sem, identity, data, HASH_START};

    add_recvs(&digest);
    add_sends(&digest);
    for (size_t i = 0; i < sem->instances.cap; i++)
        if (sem->instances.slot[i].full)
            add_meeting(&digest, &sem->instance.at[sem->instances.slot[i].value]);
    add_contexts(&digest);
    add_kept_back(&digest);
    return digest.sum;
}
