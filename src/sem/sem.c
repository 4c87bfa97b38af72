/*
 * sem -- the state as a whole: its birth, copying and death, and the life of an
 * operation from op_new to sem_retire.
 */
#include "sem/sem.h"

#include <string.h>

#include "sem/invariants.h"
#include "sem/state.h"

struct sem *sem_new(int ranks, uint64_t slack)
{
    struct sem *sem = xcalloc(1, sizeof *sem);

    if (ranks < 1)
        BUG("%d ranks", ranks);
    sem->ranks = ranks;
    sem->slack = slack;
    sem->rank = xcalloc((size_t)ranks + 1, sizeof *sem->rank);
    sem->scratch = xcalloc((size_t)ranks, sizeof *sem->scratch);
    for (int i = 0; i <= ranks; i++)
        vec_push(&sem->free_seats, 0);
    return sem;
}

void sem_make_room(struct sem *sem, int ranks)
{
    if (ranks <= sem->ranks)
        return;
    sem->rank = xrealloc(sem->rank, (size_t)ranks + 1, sizeof *sem->rank);
    memset(&sem->rank[sem->ranks + 1], 0, (size_t)(ranks - sem->ranks) * sizeof *sem->rank);
    sem->scratch = xrealloc(sem->scratch, (size_t)ranks, sizeof *sem->scratch);
    while (sem->free_seats.n <= (size_t)ranks)
        vec_push(&sem->free_seats, 0);
    sem->ranks = ranks;
}

struct sem *sem_clone(const struct sem *sem)
{
    struct sem *copy = xmemdup(sem, 1, sizeof *sem);

    CHECKED(sem_check_step(sem));
    pool_copy(&copy->op, &sem->op);
    pool_copy(&copy->queue, &sem->queue);
    map_copy(&copy->queues, &sem->queues);
    pool_copy(&copy->context, &sem->context);
    map_copy(&copy->contexts, &sem->contexts);
    vec_copy(&copy->group, &sem->group);
    map_copy(&copy->groups, &sem->groups);
    vec_copy(&copy->members, &sem->members);
    pool_copy(&copy->instance, &sem->instance);
    map_copy(&copy->instances, &sem->instances);
    vec_copy(&copy->seats, &sem->seats);
    vec_copy(&copy->free_seats, &sem->free_seats);
    pool_copy(&copy->need, &sem->need);
    pool_copy(&copy->cursor, &sem->cursor);
    vec_copy(&copy->kept_back, &sem->kept_back);
    vec_copy(&copy->calm, &sem->calm);
    copy->rank = xmemdup(sem->rank, (size_t)sem->ranks + 1, sizeof *sem->rank);
    copy->scratch = xcalloc((size_t)sem->ranks, sizeof *sem->scratch);
    return copy;
}

void sem_free(struct sem *sem)
{
    if (!sem)
        return;
    CHECKED(sem_check_step(sem));
    pool_release(&sem->op);
    pool_release(&sem->queue);
    map_release(&sem->queues);
    pool_release(&sem->context);
    map_release(&sem->contexts);
    vec_release(&sem->group);
    map_release(&sem->groups);
    vec_release(&sem->members);
    pool_release(&sem->instance);
    map_release(&sem->instances);
    vec_release(&sem->seats);
    vec_release(&sem->free_seats);
    pool_release(&sem->need);
    pool_release(&sem->cursor);
    vec_release(&sem->kept_back);
    vec_release(&sem->calm);
    free(sem->rank);
    free(sem->scratch);
    free(sem);
}

op_id op_new(struct sem *sem, enum sem_kind kind, rank_t owner, rank_t peer, uint32_t context, int tag, uint32_t user)
{
    op_id id;
    struct oper *op;

    CHECKED(sem_check_step(sem));
    rank_at(sem, owner);
    id = pool_take(&sem->op);
    op = &sem->op.at[id];
    op->used = true;
    op->kind = (uint8_t)kind;
    op->owner = owner;
    op->peer = peer;
    op->context = context;
    if (context)
        sem->context.at[context].users++;
    op->tag = tag;
    op->user = user;
    op->posted = op->called = ++sem->posted;
    return id;
}

void op_free(struct sem *sem, op_id id)
{
    uint32_t context = sem->op.at[id].context;

    sem->op.at[id].used = false;
    pool_give(&sem->op, id);
    if (!context)
        return;
    sem->context.at[context].users--;
    context_settle(sem, context);
}

op_id sem_done(struct sem *sem, rank_t owner, uint32_t user)
{
    op_id id = op_new(sem, SEM_DONE, owner, RANK_NONE, 0, 0, user);

    sem->op.at[id].complete = true;
    return id;
}

struct oper *op_at(const struct sem *sem, op_id id)
{
    if (id == OP_ID_NONE || id >= sem->op.n || !sem->op.at[id].used)
        BUG("no operation %u", id);
    return &sem->op.at[id];
}

void op_complete(struct sem *sem, op_id id)
{
    struct oper *op = &sem->op.at[id];

    if (op->complete)
        return;
    op->complete = true;
    if (op->awaited)
        wait_progress(sem, op->owner);
}

void sem_loosen(struct sem *sem, op_id id)
{
    struct oper *op = op_at(sem, id);

    CHECKED(sem_check_step(sem));
    if (!op->tight || op->complete)
        return;
    op->tight = false;
    if (op->kind == SEM_COLL)
        coll_loosen(sem, id);
    else
        op_complete(sem, id);
}

struct sem_view sem_view(const struct sem *sem, op_id id)
{
    const struct oper *op = op_at(sem, id);

    return (struct sem_view){
        .kind = op->kind,
        .owner = op->owner,
        .peer = op->peer,
        .tag = op->tag,
        .context = op->context ? sem->context.at[op->context].id : 0,
        .bytes = op->bytes,
        .user = op->user,
        .matched = op->matched,
        .complete = op->complete,
        .loosens = op->tight && !op->complete && (op->kind == SEM_SEND || op->missing == 1),
        .held = op->held && !op->matched && !op->withdrawn,
        .retired = op->retired,
        .partner = op->partner,
        .posted = op->posted,
    };
}

uint32_t sem_user(const struct sem *sem, op_id id)
{
    return op_at(sem, id)->user;
}

void sem_retire(struct sem *sem, op_id id)
{
    struct oper *op = op_at(sem, id);

    CHECKED(sem_check_step(sem));
    if (op->retired || op->awaited)
        BUG("operation %u is retired %s", id, op->awaited ? "while its owner waits for it" : "twice");
    op->retired = true;
    if (op->kind == SEM_COLL) {
        coll_retire(sem, id);
    } else if (op->withdrawn || op->kind == SEM_DONE) {
        op_free(sem, id);
    } else if (op->matched && op_at(sem, op->partner)->retired) {
        op_free(sem, op->partner);
        op_free(sem, id);
    }
}

uint32_t sem_live(const struct sem *sem)
{
    return sem->op.used + sem->queue.used + sem->instance.used + sem->need.used + sem->cursor.used;
}
