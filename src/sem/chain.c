#include "sem/chain.h"

#include "base/hash.h"
#include "base/invariant.h"

/* B, and what it is divided by: their product is 1. */
static const struct map_key factor = {0x9e3779b97f4a7c15, 0xd6e8feb86659fd93};
static const struct map_key divisor = {0xf1de83e19937733d, 0xcfee444d8b59a89b};

static struct map_key key_product(struct map_key a, struct map_key b)
{
    return (struct map_key){a.high * b.high, a.low * b.low};
}

static struct map_key key_power(struct map_key base, uint32_t n)
{
    struct map_key result = {1, 1};

    for (; n; n >>= 1, base = key_product(base, base))
        if (n & 1)
            result = key_product(result, base);
    return result;
}

static void add_to(struct map_key *sum, struct map_key part)
{
    sum->high += part.high;
    sum->low += part.low;
}

static void take_from(struct map_key *sum, struct map_key part)
{
    sum->high -= part.high;
    sum->low -= part.low;
}

void chain_stir_op(struct map_key *sum, const struct oper *op, uint64_t identity)
{
    bool tight = op->tight && !op->complete; /* else it depends on who came first */

    hash_stir(sum, (uint64_t)op->kind | (uint64_t)op->complete << 8 | (uint64_t)op->retired << 9 | (uint64_t)tight << 10);
    hash_stir(sum, identity);
}

static struct map_key hash_of_send(const struct oper *send)
{
    struct map_key hash = HASH_START;

    chain_stir_op(&hash, send, send->identity);
    return hash;
}

static struct map_key part_of_send(const struct oper *send)
{
    return key_product(hash_of_send(send), key_power(factor, send->place));
}

static struct queue *channel_of_send(const struct sem *sem, const struct oper *send)
{
    return &sem->queue.at[sem->queue.at[send->queue].up];
}

/* To those that came since somebody asked: they are the last. */
static void give_places(struct sem *sem, struct queue *channel, sem_identity *identity, void *data)
{
    op_id id = channel->sends.last, next = OP_ID_NONE;
    uint32_t place;

    for (; id && !op_known(sem, id)->place; id = op_known(sem, id)->link[BY_CHANNEL].prev)
        next = id;
    place = id ? op_known(sem, id)->place : 0;
    for (id = next; id; id = op_known(sem, id)->link[BY_CHANNEL].next) {
        struct oper *send = op_to_change(sem, id);

        send->identity = identity(data, send->user);
        send->place = ++place;
        add_to(&channel->sum, part_of_send(send));
        channel->summed++;
    }
}

static struct map_key sum_anew(const struct sem *sem, const struct queue *channel)
{
    struct map_key sum = {0}, weight = {1, 1};

    for (op_id id = channel->sends.first; id; id = op_known(sem, id)->link[BY_CHANNEL].next) {
        add_to(&sum, key_product(hash_of_send(op_known(sem, id)), weight));
        weight = key_product(weight, factor);
    }
    return sum;
}

struct map_key chain_sum(struct sem *sem, uint32_t at, sem_identity *identity, void *data)
{
    struct queue *channel = &sem->queue.at[at];
    uint32_t first, last;

    give_places(sem, channel, identity, data);
    first = op_known(sem, channel->sends.first)->place;
    last = op_known(sem, channel->sends.last)->place;
    if (last - first + 1 != channel->summed)
        return sum_anew(sem, channel);
    return key_product(channel->sum, key_power(divisor, first));
}

void chain_leave(struct sem *sem, op_id id)
{
    struct oper *send = op_to_change(sem, id);

    if (!send->place)
        return;
    chain_before_change(sem, send);
    channel_of_send(sem, send)->summed--;
    send->place = 0;
}

void chain_before_change(struct sem *sem, const struct oper *op)
{
    if (op->place)
        take_from(&channel_of_send(sem, op)->sum, part_of_send(op));
}

void chain_after_change(struct sem *sem, const struct oper *op)
{
    if (op->place)
        add_to(&channel_of_send(sem, op)->sum, part_of_send(op));
}

void chain_check_invariants(const struct sem *sem, uint32_t at)
{
    const struct queue *channel = &sem->queue.at[at];
    struct map_key sum = {0};
    uint32_t summed = 0, last = 0;

    for (op_id id = channel->sends.first; id; id = op_known(sem, id)->link[BY_CHANNEL].next) {
        const struct oper *send = op_known(sem, id);

        if (!send->place)
            break;
        INVARIANT(send->place > last, "send %u is not summed in its order", id);
        last = send->place;
        add_to(&sum, part_of_send(send));
        summed++;
    }
    INVARIANT(summed == channel->summed && map_key_is_same(sum, channel->sum), "channel %u is not the sum of its sends", at);
}
