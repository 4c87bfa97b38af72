/*
 * invariants_coll -- who has joined a collective, and whose needs wait where (coll.c).
 */
#include "sem/invariants_parts.h"

struct tally {
    uint32_t parts, needs, cursors, seats;
    uint32_t *missing; /* by operation: its needs that were found */
};

static const struct seat *seats_of(const struct sem *sem, const struct collective_instance *instance)
{
    return &sem->seats.at[instance->seats];
}

static void check_seat(const struct sem *sem, uint32_t i, uint32_t position, struct tally *tally)
{
    const struct collective_instance *instance = &sem->instance.at[i];
    op_id part = seats_of(sem, instance)[position].part;
    const struct oper *op;

    if (!part)
        return;
    op = op_at(sem, part);
    INVARIANT(op->kind == SEM_COLL && op->instance == i && op->context == instance->context &&
                  (uint32_t)op->tag == instance->turn,
              "operation %u has a seat in a collective that is not its own", part);
    INVARIANT(op->owner == sem->members.at[context_group(sem, instance->context)->member + position],
              "operation %u has the seat of another member", part);
    tally->parts++;
}

static bool has_cursor(const struct sem *sem, const struct collective_instance *instance, uint32_t cursor)
{
    uint32_t i = instance->cursors;

    while (i && i != cursor)
        i = sem->cursor.at[i].next;
    return i != 0;
}

/* A need that is kept does not hold yet. */
static void check_needs(const struct sem *sem, uint32_t i, uint32_t position, struct tally *tally)
{
    const struct collective_instance *instance = &sem->instance.at[i];
    const struct seat *seat = &seats_of(sem, instance)[position];

    for (uint32_t n = seat->needs; n; n = sem->need.at[n].next) {
        const struct need *need = &sem->need.at[n];

        INVARIANT(n < sem->need.n && tally->needs++ < sem->need.n, "needs at a seat make no list");
        INVARIANT(op_at(sem, need->op)->kind == SEM_COLL && op_at(sem, need->op)->instance == i,
                  "operation %u needs something of a collective that is not its own", need->op);
        INVARIANT(need->cursor ? has_cursor(sem, instance, need->cursor) && sem->cursor.at[need->cursor].at <= position
                               : !seat->part,
                  "operation %u needs position %u, which has joined", need->op, position);
        tally->missing[need->op]++;
    }
}

/* It stands at the first who has not joined. */
static void check_cursor(const struct sem *sem, const struct collective_instance *instance, const struct cursor *cursor)
{
    const struct seat *seat = seats_of(sem, instance);

    INVARIANT(cursor->from <= cursor->at && cursor->at <= instance->members, "a cursor is at %u of %u", cursor->at,
              instance->members);
    for (uint32_t p = cursor->from; p < cursor->at; p++)
        INVARIANT(seat[p].part, "a cursor has passed position %u, which has not joined", p);
    INVARIANT(cursor->at == instance->members || !seat[cursor->at].part, "a cursor stays at %u, which has joined",
              cursor->at);
}

static void check_instance(const struct sem *sem, uint32_t i, struct tally *tally)
{
    const struct collective_instance *instance = &sem->instance.at[i];
    uint32_t retired = 0, joined = tally->parts;

    INVARIANT(instance->members == context_group(sem, instance->context)->members, "a collective has %u members of %u",
              instance->members, context_group(sem, instance->context)->members);
    for (uint32_t p = 0; p < instance->members; p++) {
        check_seat(sem, i, p, tally);
        check_needs(sem, i, p, tally);
        retired += seats_of(sem, instance)[p].part && op_known(sem, seats_of(sem, instance)[p].part)->retired;
    }
    for (uint32_t c = instance->cursors; c; c = sem->cursor.at[c].next, tally->cursors++)
        check_cursor(sem, instance, &sem->cursor.at[c]);
    INVARIANT(tally->parts > joined, "a collective is kept that nobody has joined");
    INVARIANT(instance->retired == retired && retired < instance->members,
              "%u parts of a collective are retired, and it says %u of %u", retired, instance->retired,
              instance->members);
    tally->seats += instance->members;
}

/* What its data flow asks for has joined (M5). */
static void check_part(const struct sem *sem, op_id id, const struct tally *tally)
{
    const struct oper *op = op_known(sem, id);
    const struct collective_instance *instance = &sem->instance.at[op->instance];

    INVARIANT(op->missing == tally->missing[id], "collective %u has %u needs and says %u", id, tally->missing[id],
              op->missing);
    for (uint32_t p = op->from; p < op->until && op->complete; p++)
        INVARIANT(seats_of(sem, instance)[p].part, "collective %u is complete without position %u", id, p);
}

static void count_free_seats(const struct sem *sem, struct tally *tally)
{
    for (uint32_t length = 1; length < sem->free_seats.n; length++)
        for (uint32_t i = sem->free_seats.at[length]; i; i = sem->seats.at[i].needs) {
            INVARIANT(tally->seats < sem->seats.n, "there are more free seats than seats");
            tally->seats += length;
        }
}

void invariants_of_collectives(const struct sem *sem)
{
    struct tally tally = {.missing = xcalloc(sem->op.n + 1, sizeof *tally.missing)};
    uint32_t parts = 0;

    INVARIANTS_OF_POOL(&sem->instance, "collectives");
    INVARIANTS_OF_POOL(&sem->need, "needs");
    INVARIANTS_OF_POOL(&sem->cursor, "cursors");
    for (size_t s = 0; s < sem->instances.cap; s++)
        if (sem->instances.slot[s].full)
            check_instance(sem, sem->instances.slot[s].value, &tally);
    for (op_id id = 1; id < sem->op.n; id++) {
        if (!op_known(sem, id)->used || op_known(sem, id)->kind != SEM_COLL)
            continue;
        check_part(sem, id, &tally);
        parts++;
    }
    count_free_seats(sem, &tally);
    INVARIANT(sem->instances.n == sem->instance.used, "%zu collectives are known, and %u are taken", sem->instances.n,
              sem->instance.used);
    INVARIANT(tally.parts == parts, "%u parts of collectives have seats, of %u", tally.parts, parts);
    INVARIANT(tally.needs == sem->need.used && tally.cursors == sem->cursor.used,
              "a need or cursor belongs to no collective");
    INVARIANT(tally.seats + (sem->seats.n > 0) == sem->seats.n, "%u seats are taken or free, of %zu", tally.seats,
              sem->seats.n);
    free(tally.missing);
}
