/*
 * invariants -- operations, communicators and waits by themselves; queues and collectives have files of their own.
 */
#include "sem/invariants.h"

#include <stdlib.h>

#include "sem/invariants_parts.h"

enum { SMALL = 512 };

uint32_t invariants_of_list(const char *name, const struct list *list, struct rail rail, size_t bound)
{
    uint32_t n = 0, last = 0;

    for (uint32_t i = list->first; i; i = rail_link(rail, i)->next) {
        INVARIANT(i < bound && n < bound, "%s: %u is no element, or it goes round", name, i);
        INVARIANT(rail_link(rail, i)->prev == last, "%s: %u comes after %u and says it comes after %u", name, i, last,
                  rail_link(rail, i)->prev);
        last = i;
        n++;
    }
    INVARIANT(list->last == last, "%s ends with %u and says it ends with %u", name, last, list->last);
    return n;
}

/* ---- operations ---- */

static void check_pair(const struct sem *sem, op_id id, const struct oper *op)
{
    const struct oper *partner = op_at(sem, op->partner);
    const struct oper *send = op->kind == SEM_SEND ? op : partner, *recv = op->kind == SEM_SEND ? partner : op;

    INVARIANT(partner->matched && partner->partner == id, "operation %u is matched with %u, which is not with it", id,
              op->partner);
    INVARIANT(send->kind == SEM_SEND && recv->kind == SEM_RECV && send->context == recv->context &&
                  send->peer == recv->owner && sem_fits(send->owner, send->tag, recv->peer, recv->tag),
              "operations %u and %u are matched, which do not fit (M1)", id, op->partner);
    INVARIANT(send->complete || !recv->complete, "of operations %u and %u, the receive is complete and its send is not",
              id, op->partner);
    INVARIANT(!op->retired || !partner->retired || sem->spent.send == id || sem->spent.recv == id,
              "operations %u and %u are kept, though nobody can meet them any more", id, op->partner);
}

/* M6 and M7. */
static void check_message(const struct sem *sem, op_id id, const struct oper *op)
{
    bool unmatched = !op->matched && !op->withdrawn,
         infinite = sem->slack == SLACK_INFINITE || sem->slack == SLACK_WAITING;

    INVARIANT(!op->matched || !op->withdrawn, "operation %u is matched and withdrawn", id);
    INVARIANT((unmatched && !(op->kind == SEM_SEND && op->after != RANK_NONE)) == (op->queue != 0), "operation %u is %s in a queue", id,
              unmatched ? "unmatched and not" : "still");
    INVARIANT(!op->withdrawn || (op->complete && !op->retired), "operation %u is withdrawn, and not complete or kept",
              id);
    INVARIANT(op->kind == SEM_SEND || !op->complete || !unmatched, "receive %u is complete without a message", id);
    INVARIANT(op->kind == SEM_RECV || !op->tight || !infinite || op->complete, "send %u is not buffered", id);
    INVARIANT(op->kind == SEM_SEND || !op->tight, "receive %u waits for slack", id);
    INVARIANT(op->kind == SEM_RECV ? !op->forced || (unmatched && op->peer != RANK_ANY) : !op->forced && !op->behind,
              "operation %u is in no pair that could be forced", id);
    if (op->matched)
        check_pair(sem, id, op);
}

static void check_operation(const struct sem *sem, op_id id, const struct oper *op)
{
    INVARIANT(op->owner >= 0 && op->owner < sem->ranks, "operation %u is of rank %d", id, op->owner);
    INVARIANT(op->posted > 0 && op->posted <= sem->posted, "operation %u was not posted yet", id);
    INVARIANT((op->context == 0) == (op->kind == SEM_DONE) && op->context < (sem->context.n ? sem->context.n : 1),
              "operation %u is on no communicator", id);
    INVARIANT(!op->awaited || (sem->rank[op->owner + 1].waiting && !op->retired), "nobody waits for operation %u", id);
    switch ((enum sem_kind)op->kind) {
    case SEM_SEND:
    case SEM_RECV:
        check_message(sem, id, op);
        break;
    case SEM_COLL:
        INVARIANT(op->complete == !op->missing, "collective %u lacks %u and is%s complete", id, op->missing,
                  op->complete ? "" : " not");
        break;
    case SEM_DONE:
        INVARIANT(op->complete && !op->retired, "operation %u needs nobody, and is not complete or kept", id);
        break;
    }
}

static void check_all_operations(const struct sem *sem)
{
    uint32_t used = 0;

    INVARIANTS_OF_FREE(&sem->op, op_known(sem, i_)->next, "operations");
    for (op_id id = 1; id < sem->op.n; id++) {
        if (!op_known(sem, id)->used)
            continue;
        check_operation(sem, id, op_known(sem, id));
        used++;
    }
    INVARIANT(used == sem->op.used, "%u operations are in use, and %u are taken", used, sem->op.used);
    INVARIANT(!sem->spent.send == !sem->spent.recv, "half a pair is to be freed");
    INVARIANT(!sem->spent.send || op_at(sem, sem->spent.send)->partner == sem->spent.recv,
              "what is to be freed is no pair");
}

/* ---- communicators ---- */

static void check_group(const struct sem *sem, const struct member_list *group)
{
    const rank_t *member = &sem->members.at[group->member], *sorted = &sem->members.at[group->sorted];

    for (uint32_t p = 0; p < group->members; p++) {
        INVARIANT(member[p] >= 0 && member[p] < sem->ranks, "a communicator has a member %d", member[p]);
        INVARIANT(p == 0 || member[sorted[p - 1]] < member[sorted[p]], "the members of a communicator are not sorted");
    }
}

static void check_context(const struct sem *sem, uint32_t index, uint32_t users)
{
    const struct context *context = &sem->context.at[index];

    INVARIANT(context->users == users, "context %#llx has %u operations and says %u", (unsigned long long)context->id,
              users, context->users);
    INVARIANT(context->left <= context_group(sem, index)->members, "%u members have left context %#llx, of %u",
              context->left, (unsigned long long)context->id, context_group(sem, index)->members);
    INVARIANT(users || context->left < context_group(sem, index)->members, "context %#llx is kept for nobody",
              (unsigned long long)context->id);
}

static void check_contexts(const struct sem *sem)
{
    uint32_t *users = xcalloc(sem->context.n + 1, sizeof *users);

    INVARIANTS_OF_POOL(&sem->context, "communicators");
    INVARIANT(sem->contexts.n == sem->context.used, "%zu communicators are known, and %u are taken", sem->contexts.n,
              sem->context.used);
    for (op_id id = 1; id < sem->op.n; id++)
        users[op_known(sem, id)->used ? op_known(sem, id)->context : 0]++;
    for (size_t i = 0; i < sem->contexts.cap; i++) {
        const struct map_slot *slot = &sem->contexts.slot[i];

        if (!slot->full)
            continue;
        INVARIANT(sem->context.at[slot->value].id == slot->key.low, "a communicator is known by another's number");
        check_context(sem, slot->value, users[slot->value]);
    }
    for (size_t g = 1; g < sem->group.n; g++)
        check_group(sem, &sem->group.at[g]);
    free(users);
}

/* ---- waits ---- */

/* Returns how many of what the rank waits for is incomplete; `any`: whether something was completed since. */
static uint32_t check_awaited(const struct sem *sem, rank_t at, bool *any)
{
    const struct rank_queues *rank = &sem->rank[at + 1];
    uint32_t missing = 0, n = 0;
    op_id last = OP_ID_NONE;

    *any = false;
    for (op_id id = rank->awaited.first; id; last = id, id = op_known(sem, id)->next, n++) {
        const struct oper *op = op_at(sem, id);

        INVARIANT(n < sem->op.n && op->awaited && op->owner == at, "rank %d waits for operation %u by mistake", at, id);
        missing += !op->complete;
        *any = *any || op->complete;
    }
    INVARIANT(rank->awaited.last == last, "what rank %d waits for ends with %u and says %u", at, last,
              rank->awaited.last);
    return missing;
}

static void check_wait(const struct sem *sem, rank_t at)
{
    const struct rank_queues *rank = &sem->rank[at + 1];
    bool any, holds = rank->ready;
    uint32_t missing = check_awaited(sem, at, &any);

    switch ((enum waiting)rank->waiting) {
    case WAITING_NOT:
        INVARIANT(!rank->ready && !rank->awaited.first, "rank %d is ready, or waits for something, without waiting",
                  at);
        return;
    case WAITING_PROBE:
        holds = probe_holds(sem, rank->context, at, rank->from, rank->tag);
        break;
    case WAITING_ALL:
        holds = missing == 0;
        break;
    case WAITING_ANY: /* what was complete before is not on the list */
        holds = rank->ready || any || missing == 0;
        break;
    }
    INVARIANT(rank->ready == holds, "rank %d is%s ready, and what it waits for says otherwise (M6, M8)", at,
              rank->ready ? "" : " not");
    INVARIANT(rank->waiting == WAITING_PROBE || rank->missing == missing, "rank %d lacks %u operations and says %u", at,
              missing, rank->missing);
}

static void check_waiting_ranks(const struct sem *sem)
{
    uint32_t ready =
        invariants_of_list("the ranks that are ready", &sem->ready, RAIL(sem->rank, link), (size_t)sem->ranks + 1);
    uint32_t awaited = 0, listed = 0;

    for (rank_t at = 0; at < sem->ranks; at++) {
        const struct rank_queues *rank = &sem->rank[at + 1];

        INVARIANT(rank->ready || !rank->told, "rank %d was told, and is not ready", at);
        ready -= rank->ready && !rank->told;
        check_wait(sem, at);
        for (op_id id = rank->awaited.first; id; id = op_known(sem, id)->next)
            listed++;
    }
    for (op_id id = 1; id < sem->op.n; id++)
        awaited += op_known(sem, id)->used && op_known(sem, id)->awaited;
    INVARIANT(ready == 0, "the list of those that are ready is not that of those that are");
    INVARIANT(awaited == listed, "%u operations are awaited, and %u are on lists of awaited ones", awaited, listed);
}

void sem_check_invariants(const struct sem *sem)
{
    check_all_operations(sem);
    check_contexts(sem);
    invariants_of_queues(sem);
    invariants_of_collectives(sem);
    check_waiting_ranks(sem);
}

void sem_check_step(const struct sem *sem)
{
    uint64_t size =
        sem->op.n + sem->queues.cap + sem->instances.cap + sem->seats.n + sem->contexts.cap + (uint64_t)sem->ranks;

    if (size <= SMALL || (sem->posted + sem_live(sem)) % (size / 16) == 0)
        sem_check_invariants(sem);
}

uint32_t sem_unretired(const struct sem *sem)
{
    uint32_t n = 0;

    for (op_id id = 1; id < sem->op.n; id++)
        n += op_known(sem, id)->used && !op_known(sem, id)->retired;
    return n;
}
