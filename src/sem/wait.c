/*
 * wait -- blocked ranks: when their call may return, and what they wait for
 * (M6, M8, M9).
 *
 * A wait looks at its operations once.  From then on each completion tells its
 * owner, and a rank in a probe is told when the messages it would see change.
 */
#include "sem/invariants.h"
#include "sem/state.h"

static struct rail ranks(struct sem *sem)
{
    return RAIL(sem->rank, link);
}

static void set_ready(struct sem *sem, rank_t at, bool ready)
{
    struct rank_queues *rank = rank_at(sem, at);

    if (ready == rank->ready)
        return;
    rank->ready = ready;
    if (ready)
        list_append(&sem->ready, ranks(sem), (uint32_t)at + 1);
    else if (!rank->told)
        list_unlink(&sem->ready, ranks(sem), (uint32_t)at + 1);
    rank->told = false;
}

static struct rank_queues *begin_wait(struct sem *sem, rank_t at, enum waiting waiting)
{
    struct rank_queues *rank = rank_at(sem, at);

    CHECKED(sem_check_step(sem));
    if (rank->waiting)
        BUG("rank %d waits twice", at);
    rank->waiting = (uint8_t)waiting;
    rank->missing = 0;
    return rank;
}

static void add_awaited(struct sem *sem, struct rank_queues *rank, op_id id)
{
    struct oper *op = op_to_change(sem, id);

    op->awaited = true;
    op->next = 0;
    if (rank->awaited.last)
        op_to_change(sem, rank->awaited.last)->next = id;
    else
        rank->awaited.first = id;
    rank->awaited.last = id;
    rank->missing++;
}

void sem_await(struct sem *sem, rank_t at, enum await_mode mode, const op_id *ops, int n)
{
    struct rank_queues *rank = begin_wait(sem, at, mode == AWAIT_ALL ? WAITING_ALL : WAITING_ANY);
    int complete = 0;

    for (int i = 0; i < n; i++) {
        const struct oper *op = op_at(sem, ops[i]);

        if (op->owner != at || op->retired)
            BUG("rank %d waits for operation %u, which is not its own", at, ops[i]);
        complete += op->complete;
        if (op->complete || op->awaited)
            continue;
        add_awaited(sem, rank, ops[i]);
    }
    if (!rank->missing || (mode == AWAIT_ANY && complete))
        set_ready(sem, at, true);
}

void wait_progress(struct sem *sem, rank_t at)
{
    struct rank_queues *rank = rank_at(sem, at);

    if (!--rank->missing || rank->waiting == WAITING_ANY)
        set_ready(sem, at, true);
}

void sem_await_probe(struct sem *sem, rank_t at, rank_t from, context_t context, int tag)
{
    struct rank_queues *rank = begin_wait(sem, at, WAITING_PROBE);

    rank->from = from;
    rank->context = context_index(sem, context);
    rank->tag = tag;
    wait_stir(sem, rank->context, at);
}

void wait_stir(struct sem *sem, uint32_t context, rank_t at)
{
    const struct rank_queues *rank = rank_at(sem, at);

    if (rank->waiting == WAITING_PROBE && rank->context == context)
        set_ready(sem, at, probe_holds(sem, context, at, rank->from, rank->tag));
}

/* 0: there is none. */
static bool hand_out(struct sem *sem, uint32_t ready, rank_t *at)
{
    CHECKED(sem_check_step(sem));
    if (!ready)
        return false;
    list_unlink(&sem->ready, ranks(sem), ready);
    sem->rank[ready].told = true;
    *at = (rank_t)ready - 1;
    return true;
}

bool sem_next_ready(struct sem *sem, rank_t *at)
{
    return hand_out(sem, sem->ready.first, at);
}

bool sem_next_ready_except(struct sem *sem, rank_t except, rank_t *at)
{
    uint32_t first = sem->ready.first;
    return hand_out(sem, first && (rank_t)first - 1 == except ? sem->rank[first].link.next : first, at);
}

bool sem_is_ready(const struct sem *sem, rank_t at)
{
    return rank_at(sem, at)->ready;
}

void sem_go(struct sem *sem, rank_t at)
{
    struct rank_queues *rank = rank_at(sem, at);

    CHECKED(sem_check_step(sem));
    if (!rank->waiting)
        BUG("rank %d goes on without having waited", at);
    for (op_id id = rank->awaited.first; id; id = op_known(sem, id)->next)
        op_to_change(sem, id)->awaited = false;
    rank->awaited = (struct list){0};
    set_ready(sem, at, false);
    rank->waiting = WAITING_NOT;
}

/* Whoever could send it: the others of the communicator, or the other group of an intercommunicator. */
static int possible_sources(const struct sem *sem, uint32_t context, rank_t at, rank_t from)
{
    const struct member_list *group = context_group(sem, context);
    const rank_t *member = &sem->members.at[group->member];
    uint32_t first = 0, until = group->members;
    int n = 0;

    if (from != RANK_ANY) {
        sem->scratch[0] = from;
        return 1;
    }
    if (group->first_group < group->members) {
        if (group_position(sem, group, at) < (int)group->first_group)
            first = group->first_group;
        else
            until = group->first_group;
    }
    for (uint32_t p = first; p < until; p++)
        if (member[p] != at)
            sem->scratch[n++] = member[p];
    return n;
}

static struct sem_need need_of(const struct sem *sem, op_id id)
{
    const struct oper *op = op_at(sem, id);
    struct sem_need need = {id, op->kind == SEM_COLL, 1, sem->scratch};

    if (op->kind == SEM_COLL)
        need.n = sem_coll_missing(sem, id, sem->scratch);
    else if (op->kind == SEM_RECV)
        need.n = possible_sources(sem, op->context, op->owner, op->peer);
    else
        sem->scratch[0] = op->peer;
    return need;
}

int sem_needs(const struct sem *sem, rank_t at, void (*tell)(void *, const struct sem_need *), void *data)
{
    const struct rank_queues *rank = rank_at(sem, at);

    if (!rank->waiting)
        return -1;
    if (rank->waiting == WAITING_PROBE && !rank->ready) {
        struct sem_need need = {OP_ID_NONE, false, possible_sources(sem, rank->context, at, rank->from), sem->scratch};

        tell(data, &need);
    }
    for (op_id id = rank->awaited.first; id; id = op_known(sem, id)->next) {
        if (!op_known(sem, id)->complete) {
            struct sem_need need = need_of(sem, id);

            tell(data, &need);
        }
    }
    return rank->waiting == WAITING_ALL ? AWAIT_ALL : AWAIT_ANY;
}
