/*
 * coll -- collectives: who has joined, and whose data flow is served (M5).
 *
 * Each member's needs are counted; a need waits at the seat that can fulfil it
 * and is looked at when that happens, so an instance costs what its members ask
 * for.  "Everyone from a to b" is one need, kept at the last seat: a cursor per
 * origin a runs forward over the joined seats, and whoever it passes is served.
 * Members of one collective share their origins (all: 0, two groups: 0 and the
 * border), so there are few cursors.
 */
#include "sem/state.h"

static struct map_key turn_key(uint32_t context, uint32_t turn)
{
    return map_key((uint64_t)context << 32 | turn);
}

static uint32_t take_seats(struct sem *sem, uint32_t members)
{
    uint32_t first = sem->free_seats.at[members];

    if (first) {
        sem->free_seats.at[members] = sem->seats.at[first].needs;
    } else {
        vec_reserve(&sem->seats, members + 1);
        sem->seats.n += sem->seats.n == 0; /* 0 is none */
        first = (uint32_t)sem->seats.n;
        sem->seats.n += members;
    }
    memset(&sem->seats.at[first], 0, members * sizeof *sem->seats.at);
    return first;
}

static uint32_t obtain_instance(struct sem *sem, uint32_t context, uint32_t turn)
{
    uint32_t i = map_find(&sem->instances, turn_key(context, turn), 0);
    struct collective_instance *instance;

    if (i)
        return i;
    i = pool_take(&sem->instance);
    instance = &sem->instance.at[i];
    instance->context = context;
    instance->turn = turn;
    instance->members = context_group(sem, context)->members;
    instance->seats = take_seats(sem, instance->members);
    map_put(&sem->instances, turn_key(context, turn), i);
    return i;
}

static void dissolve(struct sem *sem, uint32_t i)
{
    struct collective_instance *instance = &sem->instance.at[i];
    struct seat *seat = &sem->seats.at[instance->seats];

    for (uint32_t p = 0; p < instance->members; p++)
        op_free(sem, seat[p].part);
    while (instance->cursors) {
        uint32_t cursor = instance->cursors;

        instance->cursors = sem->cursor.at[cursor].next;
        pool_give(&sem->cursor, cursor);
    }
    seat[0].needs = sem->free_seats.at[instance->members];
    sem->free_seats.at[instance->members] = instance->seats;
    map_remove(&sem->instances, turn_key(instance->context, instance->turn));
    pool_give(&sem->instance, i);
}

static struct seat *seat_of(const struct sem *sem, const struct collective_instance *instance, uint32_t position)
{
    return &sem->seats.at[instance->seats + position];
}

static void add_seat_need(struct sem *sem, struct seat *seat, op_id op, uint32_t cursor)
{
    uint32_t need = pool_take(&sem->need);

    sem->need.at[need] = (struct need){seat->needs, op, cursor};
    seat->needs = need;
    op_to_change(sem, op)->missing++;
}

static void drop_need(struct sem *sem, uint32_t *at)
{
    uint32_t i = *at;
    op_id op = sem->need.at[i].op;

    *at = sem->need.at[i].next;
    pool_give(&sem->need, i);
    if (!--op_to_change(sem, op)->missing)
        op_complete(sem, op);
}

/* Fulfils the needs at a seat that wait for this cursor (0: for the seat alone). */
static void fulfil(struct sem *sem, struct seat *seat, uint32_t cursor)
{
    uint32_t *at = &seat->needs;

    while (*at) {
        struct need *need = &sem->need.at[*at];

        if (need->cursor != cursor) {
            at = &need->next;
            continue;
        }
        drop_need(sem, at);
    }
}

static void advance_cursor(struct sem *sem, const struct collective_instance *instance, uint32_t i)
{
    struct cursor *cursor = &sem->cursor.at[i];

    for (; cursor->at < instance->members && seat_of(sem, instance, cursor->at)->part; cursor->at++)
        fulfil(sem, seat_of(sem, instance, cursor->at), i);
}

static uint32_t cursor_from(struct sem *sem, struct collective_instance *instance, uint32_t from)
{
    uint32_t i = instance->cursors;

    while (i && sem->cursor.at[i].from != from)
        i = sem->cursor.at[i].next;
    if (!i) {
        i = pool_take(&sem->cursor);
        sem->cursor.at[i] = (struct cursor){instance->cursors, from, from};
        instance->cursors = i;
        advance_cursor(sem, instance, i);
    }
    return i;
}

static void need_one(struct sem *sem, const struct collective_instance *instance, op_id op, uint32_t position)
{
    struct seat *seat;

    if (position >= instance->members)
        BUG("collective needs position %u of %u", position, instance->members);
    seat = seat_of(sem, instance, position);
    if (!seat->part)
        add_seat_need(sem, seat, op, 0);
}

static void need_range(struct sem *sem, struct collective_instance *instance, op_id op, uint32_t from, uint32_t until)
{
    uint32_t cursor;

    if (until > instance->members)
        BUG("collective needs positions to %u of %u", until, instance->members);
    if (until - from == 1) {
        need_one(sem, instance, op, from);
        return;
    }
    cursor = cursor_from(sem, instance, from);
    if (sem->cursor.at[cursor].at < until)
        add_seat_need(sem, seat_of(sem, instance, until - 1), op, cursor);
}

static void join_instance(struct sem *sem, struct collective_instance *instance, uint32_t position, op_id op)
{
    struct seat *seat = seat_of(sem, instance, position);

    if (seat->part)
        BUG("rank %d joins turn %u twice", op_known(sem, op)->owner, instance->turn);
    seat->part = op;
    fulfil(sem, seat, 0);
    for (uint32_t i = instance->cursors; i; i = sem->cursor.at[i].next)
        if (sem->cursor.at[i].at == position)
            advance_cursor(sem, instance, i);
}

/* More than the data flow (M7): one need, which coll_loosen finds again at the last seat. */
static void need_everyone(struct sem *sem, struct collective_instance *instance, op_id op)
{
    uint32_t cursor = cursor_from(sem, instance, 0);

    if (sem->cursor.at[cursor].at == instance->members)
        return;
    op_to_change(sem, op)->tight = true;
    add_seat_need(sem, seat_of(sem, instance, instance->members - 1), op, cursor);
}

void coll_loosen(struct sem *sem, op_id id)
{
    struct collective_instance *instance = &sem->instance.at[op_known(sem, id)->instance];
    uint32_t cursor = cursor_from(sem, instance, 0);
    uint32_t *at = &seat_of(sem, instance, instance->members - 1)->needs;

    while (sem->need.at[*at].op != id || sem->need.at[*at].cursor != cursor)
        at = &sem->need.at[*at].next;
    drop_need(sem, at);
}

op_id sem_coll(struct sem *sem, rank_t rank, context_t context, uint32_t turn, uint32_t from, uint32_t until,
               const uint32_t *listed, uint32_t nlisted, uint32_t user)
{
    uint32_t index = context_index(sem, context), i;
    int position = group_position(sem, context_group(sem, index), rank);
    struct collective_instance *instance;
    struct oper *op;
    op_id id;

    if (position < 0)
        BUG("rank %d is no member of context %#llx", rank, (unsigned long long)context);
    id = op_new(sem, SEM_COLL, rank, RANK_NONE, index, (int)turn, user);
    i = obtain_instance(sem, index, turn);
    instance = &sem->instance.at[i];
    op = op_to_change(sem, id);
    op->instance = i;
    op->from = from;
    op->until = until;
    join_instance(sem, instance, (uint32_t)position, id);
    if (from < until)
        need_range(sem, instance, id, from, until);
    for (uint32_t k = 0; k < nlisted; k++)
        need_one(sem, instance, id, listed[k]);
    if ((sem->slack == SLACK_TIGHT || sem->slack == SLACK_WAITING) && (from > 0 || until < instance->members))
        need_everyone(sem, instance, id);
    if (!op_known(sem, id)->missing)
        op_complete(sem, id);
    return id;
}

static const struct collective_instance *meeting_of(const struct sem *sem, op_id id)
{
    const struct oper *op = op_at(sem, id);

    if (op->kind != SEM_COLL)
        BUG("operation %u is no collective", id);
    return &sem->instance.at[op->instance];
}

op_id sem_coll_part(const struct sem *sem, op_id coll, int position)
{
    const struct collective_instance *instance = meeting_of(sem, coll);

    if (position < 0 || (uint32_t)position >= instance->members)
        BUG("no position %d among %u", position, instance->members);
    return seat_of(sem, instance, (uint32_t)position)->part;
}

/* Everyone has joined and been retired: nobody will ask for the parts any more. */
void coll_retire(struct sem *sem, op_id id)
{
    uint32_t i = op_known(sem, id)->instance;

    if (++sem->instance.at[i].retired == sem->instance.at[i].members)
        dissolve(sem, i);
}

/* The members this one still waits for; for reports, so a walk over the seats will do. */
int sem_coll_missing(const struct sem *sem, op_id id, rank_t *ranks)
{
    const struct collective_instance *instance = meeting_of(sem, id);
    const struct oper *op = op_at(sem, id);
    const rank_t *member = &sem->members.at[context_group(sem, op->context)->member];
    int n = 0;

    for (uint32_t p = 0; p < instance->members; p++) {
        const struct seat *seat = seat_of(sem, instance, p);
        bool needed = op->tight || (op->from <= p && p < op->until);

        for (uint32_t i = seat->needs; i && !needed; i = sem->need.at[i].next)
            needed = sem->need.at[i].op == id;
        if (needed && !seat->part)
            ranks[n++] = member[p];
    }
    return n;
}

/* ---- those that not all members have joined ---- */

static bool is_live_instance(const struct sem *sem, uint32_t i)
{
    const struct collective_instance *instance = &sem->instance.at[i];

    return map_find(&sem->instances, turn_key(instance->context, instance->turn), 0) == i;
}

/* The first part; none, if all have joined. */
static op_id unjoined_part(const struct sem *sem, const struct collective_instance *instance)
{
    op_id first = OP_ID_NONE;
    bool absent = false;

    for (uint32_t p = 0; p < instance->members; p++) {
        op_id part = seat_of(sem, instance, p)->part;

        absent = absent || !part;
        first = first ? first : part;
    }
    return absent ? first : OP_ID_NONE;
}

int sem_unjoined(const struct sem *sem, op_id *parts, int room)
{
    int n = 0;

    for (uint32_t i = 1; i < sem->instance.n; i++) {
        op_id part = is_live_instance(sem, i) ? unjoined_part(sem, &sem->instance.at[i]) : OP_ID_NONE;

        if (part && n++ < room)
            parts[n - 1] = part;
    }
    return n;
}

int sem_coll_absent(const struct sem *sem, op_id id, rank_t *ranks)
{
    const struct collective_instance *instance = meeting_of(sem, id);
    const rank_t *member = &sem->members.at[context_group(sem, op_at(sem, id)->context)->member];
    int n = 0;

    for (uint32_t p = 0; p < instance->members; p++)
        if (!seat_of(sem, instance, p)->part)
            ranks[n++] = member[p];
    return n;
}

bool sem_is_unjoined(const struct sem *sem, context_t context, uint32_t turn)
{
    uint32_t i =
        sem_has_context(sem, context) ? map_find(&sem->instances, turn_key(context_index(sem, context), turn), 0) : 0;

    return i && unjoined_part(sem, &sem->instance.at[i]);
}
