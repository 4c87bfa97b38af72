/*
 * digest -- what of a state matters for what can happen from there.
 *
 * That is: per channel the unmatched sends in their order, per rank the unmatched
 * receives in theirs, collectives that somebody is still in, and communicators.
 * Not the order in which different ranks did something, nor the names of
 * operations.
 */
#include "base/hash.h"
#include "sem/state.h"

struct digest {
    const struct sem *sem;
    sem_identity *identity;
    void *data;
    struct map_key sum;
};

static uint64_t flags_of(const struct oper *op)
{
    bool tight = op->tight && !op->complete; /* else it depends on who came first */

    return (uint64_t)op->kind | (uint64_t)op->complete << 8 | (uint64_t)op->retired << 9 | (uint64_t)tight << 10;
}

static void stir_op(const struct digest *digest, struct map_key *sum, const struct oper *op)
{
    hash_stir(sum, flags_of(op));
    hash_stir(sum, digest->identity(digest->data, op->user));
}

/* Sends of all sources are in one list: a sum for each source, closed when the list is at its end. */
static void add_sends(struct digest *digest, struct map_key *chain, rank_t to)
{
    const struct sem *sem = digest->sem;
    op_id first = rank_at(sem, to)->incoming.first;

    for (op_id id = first; id; id = sem->op.at[id].link[INCOMING].next) {
        const struct oper *op = &sem->op.at[id];

        if (!chain[op->owner].low)
            chain[op->owner] = (struct map_key){(uint64_t)to + 1, (uint64_t)op->owner + 1};
        hash_stir(&chain[op->owner], sem->context.at[op->context].id);
        stir_op(digest, &chain[op->owner], op);
    }
    for (op_id id = first; id; id = sem->op.at[id].link[INCOMING].next) {
        struct map_key *sum = &chain[sem->op.at[id].owner];

        if (sum->low)
            hash_add(&digest->sum, *sum);
        *sum = (struct map_key){0};
    }
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

    for (op_id id = 1; id < sem->op.n; id++) {
        const struct oper *op = &sem->op.at[id];

        if (op->used && op->kind == SEM_RECV && !op->matched && !op->withdrawn)
            vec_push(&recv, (struct waiting_recv){op->owner, op->posted, id});
    }
    if (recv.n > 1)
        qsort(recv.at, recv.n, sizeof *recv.at, by_owner_and_posting);
    for (size_t i = 0; i < recv.n; i++) {
        hash_stir(&digest->sum, (uint64_t)recv.at[i].owner);
        stir_op(digest, &digest->sum, &sem->op.at[recv.at[i].id]);
    }
    vec_release(&recv);
}

/* Sends that are kept back are in no queue; of one rank, in the order in which it posted them, and with what they wait for. */
static void add_kept_back(struct digest *digest)
{
    const struct sem *sem = digest->sem;

    for (size_t i = 0; i < sem->kept_back.n; i++) {
        const struct oper *op = &sem->op.at[sem->kept_back.at[i]];
        struct map_key sum = {(uint64_t)op->owner + 1, (uint64_t)op->peer + 1};
        uint32_t before = 0;

        for (size_t k = 0; k < i; k++)
            before += sem->op.at[sem->kept_back.at[k]].owner == op->owner;
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
            stir_op(digest, &sum, &sem->op.at[part]);
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

struct map_key sem_digest(const struct sem *sem, sem_identity *identity, void *data)
{
    struct digest digest = {sem, identity, data, HASH_START};
    struct map_key *chain = xcalloc((size_t)sem->ranks, sizeof *chain);

    add_recvs(&digest);
    for (rank_t r = 0; r < sem->ranks; r++)
        add_sends(&digest, chain, r);
    for (size_t i = 0; i < sem->instances.cap; i++)
        if (sem->instances.slot[i].full)
            add_meeting(&digest, &sem->instance.at[sem->instances.slot[i].value]);
    add_contexts(&digest);
    add_kept_back(&digest);
    free(chain);
    return digest.sum;
}
