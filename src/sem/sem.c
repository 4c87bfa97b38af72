/*
 * sem -- the state as a whole: its birth, copying and death, and the life of an
 * operation from op_new to sem_retire.
 */
#include "sem/sem.h"

#include <string.h>

#include "sem/chain.h"
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

static void assign_ranks(struct sem *to, const struct sem *was, const struct sem *from)
{
    bool fits = was->ranks >= from->ranks;

    to->rank = fits ? was->rank : xrealloc(was->rank, (size_t)from->ranks + 1, sizeof *to->rank);
    to->scratch = fits ? was->scratch : xrealloc(was->scratch, (size_t)from->ranks, sizeof *to->scratch);
    memcpy(to->rank, from->rank, ((size_t)from->ranks + 1) * sizeof *to->rank);
}

void sem_assign(struct sem *to, const struct sem *from)
{
    struct sem was = *to;

    CHECKED(sem_check_step(from));
    *to = *from;
#define ASSIGN(kind, part) (to->part = was.part, kind##_assign(&to->part, &from->part))
    ASSIGN(shared_pool, op);
    ASSIGN(pool, queue);
    ASSIGN(map, queues);
    ASSIGN(pool, context);
    ASSIGN(map, contexts);
    ASSIGN(vec, group);
    ASSIGN(map, groups);
    ASSIGN(vec, members);
    ASSIGN(pool, instance);
    ASSIGN(map, instances);
    ASSIGN(vec, seats);
    ASSIGN(vec, free_seats);
    ASSIGN(pool, need);
    ASSIGN(pool, cursor);
    ASSIGN(vec, kept_back);
    ASSIGN(vec, calm);
#undef ASSIGN
    assign_ranks(to, &was, from);
}

struct sem *sem_clone(const struct sem *sem)
{
    struct sem *copy = xcalloc(1, sizeof *copy);

    sem_assign(copy, sem);
    return copy;
}

void sem_let_go(struct sem *sem)
{
    CHECKED(sem_check_step(sem));
    shared_pool_clear(&sem->op);
    sem->gone = true;
}

void sem_free(struct sem *sem)
{
    if (!sem)
        return;
    CHECKED(sem->gone ? (void)0 : sem_check_step(sem));
    shared_pool_release(&sem->op);
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
    id = shared_pool_take(&sem->op, sizeof *op);
    op = shared_pool_change(&sem->op, id, sizeof *op);
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
    uint32_t context = op_known(sem, id)->context;

    op_to_change(sem, id)->used = false;
    shared_pool_give(&sem->op, id, sizeof(struct oper));
    if (!context)
        return;
    sem->context.at[context].users--;
    context_settle(sem, context);
}

op_id sem_done(struct sem *sem, rank_t owner, uint32_t user)
{
    op_id id = op_new(sem, SEM_DONE, owner, RANK_NONE, 0, 0, user);

    op_to_change(sem, id)->complete = true;
    return id;
}

void op_complete(struct sem *sem, op_id id)
{
    struct oper *op;

    if (op_known(sem, id)->complete)
        return;
    op = op_to_change(sem, id);
    chain_before_change(sem, op);
    op->complete = true;
    chain_after_change(sem, op);
    if (op->awaited)
        wait_progress(sem, op->owner);
}

void sem_loosen(struct sem *sem, op_id id)
{
    struct oper *op = op_to_change(sem, id);

    CHECKED(sem_check_step(sem));
    if (!op->tight || op->complete)
        return;
    chain_before_change(sem, op);
    op->tight = false;
    chain_after_change(sem, op);
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
    struct oper *op = op_to_change(sem, id);

    CHECKED(sem_check_step(sem));
    if (op->retired || op->awaited)
        BUG("operation %u is retired %s", id, op->awaited ? "while its owner waits for it" : "twice");
    chain_before_change(sem, op);
    op->retired = true;
    chain_after_change(sem, op);
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
