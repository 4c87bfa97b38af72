#include "scenario/machine.h"

#include <string.h>

#include "base/die.h"

enum { LOCAL_STEPS = 10000 };

const char *fault_name(enum machine_fault fault)
{
    static const char *const name[] = {
        [FAULT_STATED] = "comes to 'error'",
        [FAULT_ENDLESS] = "runs on and on: a scenario has to come to an end",
        [FAULT_RANK] = "names a rank that is not in the communicator",
        [FAULT_PENDING] = "starts an operation whose request is still in use",
        [FAULT_INACTIVE] = "cancels, frees or receives what is not there",
        [FAULT_EPOCH] = "calls this where no epoch of the window allows it",
        [FAULT_PARTITION] = "names a partition that is not there, not started, or marked ready already",
        [FAULT_SIZES] = "receives another number of partitions than were sent",
    };
    return name[fault];
}

static const struct column *column_of(struct ranked r)
{
    return &r.scenario->column[r.rank];
}

void machine_fail(struct ranked r, enum machine_fault fault)
{
    r.machine->state = MACHINE_ERROR;
    r.machine->fault = (uint8_t)fault;
}

/* ---- buffers in use ---- */

static bool takes_into(const struct statement *s, uint32_t variable)
{
    for (size_t i = 0; i < s->into.n; i++)
        if (s->into.at[i] == variable)
            return true;
    return false;
}

static bool sends_from(struct ranked r, const struct statement *s, uint32_t variable)
{
    for (size_t i = 0; i < s->values.n; i++) {
        const struct expr *e = &r.scenario->exprs.at[s->values.at[i]];
        if (e->kind == EXPR_VARIABLE && e->index == variable)
            return true;
    }
    return false;
}

/* P3, P4: a partition is in use from when it was marked ready, or until it has arrived. */
static bool uses_partition(struct ranked r, const struct statement *s, uint32_t variable, bool writes)
{
    uint8_t over = r.machine->parts.over[s->slot];
    for (size_t i = 0; i < s->into.n; i++)
        if (s->into.at[i] == variable && !(over >> i & 1))
            return true;
    for (size_t i = 0; i < s->values.n && writes; i++) {
        const struct expr *e = &r.scenario->exprs.at[s->values.at[i]];
        if (e->kind == EXPR_VARIABLE && e->index == variable && over >> i & 1)
            return true;
    }
    return false;
}

/* Reading what a pending receive may write, or writing what anybody uses. */
static void touch(struct ranked r, uint32_t variable, bool writes)
{
    const struct column *column = column_of(r);
    for (size_t i = 0; i < column->slots.n; i++) {
        const struct statement *s = &column->statements.at[column->slots.at[i].statement];
        if (r.machine->active[i] && s->word->verb == VERB_PARTITIONED)
            r.machine->unsafe |= uses_partition(r, s, variable, writes);
        else if (r.machine->active[i] && !s->word->take &&
            (takes_into(s, variable) || (writes && sends_from(r, s, variable))))
            r.machine->unsafe = true;
    }
}

static void assign(struct ranked r, int32_t variable, int32_t value)
{
    if (variable != NOTHING)
        r.machine->value[variable] = value;
}

/* The rank itself writes. */
static void set(struct ranked r, int32_t variable, int32_t value)
{
    if (variable != NOTHING)
        touch(r, (uint32_t)variable, true);
    assign(r, variable, value);
}

/* ---- expressions ---- */

int32_t expr_combine(enum expr_kind kind, int32_t left, int32_t right)
{
    switch (kind) {
    case EXPR_ADD:
        return (int32_t)((uint32_t)left + (uint32_t)right);
    case EXPR_SUBTRACT:
        return (int32_t)((uint32_t)left - (uint32_t)right);
    case EXPR_MULTIPLY:
        return (int32_t)((uint32_t)left * (uint32_t)right);
    case EXPR_EQUAL:
        return left == right;
    case EXPR_UNLIKE:
        return left != right;
    case EXPR_LESS:
        return left < right;
    case EXPR_AT_MOST:
        return left <= right;
    case EXPR_MORE:
        return left > right;
    case EXPR_AT_LEAST:
        return left >= right;
    case EXPR_AND:
        return left && right;
    case EXPR_OR:
        return left || right;
    case EXPR_NUMBER:
    case EXPR_VARIABLE:
    case EXPR_NOT:
    case EXPR_DEADLOCK:
    case EXPR_WANT:
    case EXPR_ERROR:
    case EXPR_UNSAFE:
    case EXPR_MATCHES:
    case EXPR_HAPPENS:
    case EXPR_BEFORE:
        break;
    }
    BUG("an expression of kind %d has no two operands", kind);
}

int32_t machine_eval(struct ranked r, expr_id id)
{
    const struct expr *e = &r.scenario->exprs.at[id];
    if (e->kind == EXPR_NUMBER)
        return e->number;
    if (e->kind == EXPR_VARIABLE) {
        touch(r, e->index, false);
        return r.machine->value[e->index];
    }
    if (e->kind == EXPR_NOT)
        return !machine_eval(r, e->left);
    return expr_combine(e->kind, machine_eval(r, e->left), machine_eval(r, e->right));
}

/* ---- what happens between MPI calls ---- */

static void step_statement(struct ranked r, const struct statement *s)
{
    struct machine *m = r.machine;
    switch (s->word->verb) {
    case VERB_ASSIGN:
        set(r, (int32_t)s->into.at[0], machine_eval(r, s->values.at[0]));
        m->pc++;
        break;
    case VERB_IF:
    case VERB_WHILE:
        m->pc = machine_eval(r, s->values.at[0]) ? m->pc + 1 : s->partner + 1;
        break;
    case VERB_ELSE: /* come to from above: the other branch was taken */
        m->pc = s->partner + 1;
        break;
    case VERB_END:
        m->pc = s->loops ? s->partner : m->pc + 1;
        break;
    case VERB_ERROR:
        machine_fail(r, FAULT_STATED);
        break;
    case VERB_SEND:
    case VERB_RECV:
    case VERB_SENDRECV:
    case VERB_PROBE:
    case VERB_MRECV:
    case VERB_START:
    case VERB_COMPLETE:
    case VERB_CANCEL:
    case VERB_FREE:
    case VERB_COLL:
    case VERB_ACCESS:
    case VERB_EPOCH:
    case VERB_PARTITIONED:
    case VERB_READY:
    case VERB_ARRIVED:
        BUG("an MPI call is no step of a rank alone");
    }
}

/* ---- messages in parts ---- */

static const struct statement *maker_of_slot(struct ranked r, uint32_t slot)
{
    const struct column *column = column_of(r);
    return &column->statements.at[column->slots.at[slot].statement];
}

const struct statement *partitions_made(struct ranked r, const struct statement *call)
{
    return maker_of_slot(r, call->requests.at[0]);
}

bool has_partition(const struct statement *made, int32_t number)
{
    return number >= 0 && (uint32_t)number < partitions_of(made);
}

bool partitions_are_all_over(struct ranked r, const struct statement *made)
{
    return r.machine->parts.over[made->slot] == (1u << partitions_of(made)) - 1;
}

void partitions_settle(struct ranked r, const struct statement *call)
{
    for (size_t i = 0; i < call->requests.n; i++) {
        uint32_t slot = call->requests.at[i];
        const struct statement *made = maker_of_slot(r, slot);
        if (made->word->verb == VERB_PARTITIONED && r.machine->parts.begun[slot] && partitions_are_all_over(r, made))
            r.machine->active[slot] = false;
    }
}

uint32_t partition_asked(struct ranked r, const struct statement *call)
{
    int32_t number = machine_eval(r, call->values.at[0]);
    if (!has_partition(partitions_made(r, call), number) || !r.machine->parts.pair[call->requests.at[0]])
        machine_fail(r, FAULT_PARTITION);
    return r.machine->state == MACHINE_RUNS ? (uint32_t)number : 0;
}

/* Whether the partition is known to have arrived, or nothing is under way. */
static bool partition_is_there(struct ranked r, const struct statement *call)
{
    uint32_t slot = call->requests.at[0], number = partition_asked(r, call);
    return r.machine->state == MACHINE_RUNS && (!r.machine->active[slot] || r.machine->parts.over[slot] >> number & 1);
}

/* A completion call that is about nothing returns at once, and a question about what has arrived is answered. */
static bool passes(struct ranked r, const struct statement *s)
{
    uint32_t slots[SCENARIO_REQUESTS];
    if (s->word->verb == VERB_COMPLETE)
        partitions_settle(r, s);
    if (s->word->verb == VERB_ARRIVED ? !partition_is_there(r, s) : s->word->verb != VERB_COMPLETE || machine_requests(r, s, slots))
        return false;
    set(r, s->flag_into, s->word->select == SELECT_ALL ? 1 : -1);
    set(r, s->cancelled_into, 0);
    r.machine->pc++;
    return true;
}

static void land(struct ranked r)
{
    const struct column *column = column_of(r);
    for (int steps = 0; r.machine->state == MACHINE_RUNS; steps++) {
        if (r.machine->pc >= column->statements.n) {
            r.machine->state = MACHINE_ENDED;
        } else if (steps == LOCAL_STEPS) {
            machine_fail(r, FAULT_ENDLESS);
        } else {
            const struct statement *s = &column->statements.at[r.machine->pc];
            if (!verb_is_mpi(s->word->verb))
                step_statement(r, s);
            else if (!passes(r, s))
                return;
        }
    }
}

void machine_start(struct ranked r)
{
    memset(r.machine, 0, sizeof *r.machine);
    land(r);
}

const struct statement *machine_call(struct ranked r)
{
    return &column_of(r)->statements.at[r.machine->pc];
}

/* ---- MPI calls ---- */

int32_t machine_value(struct ranked r, const struct statement *s, size_t n)
{
    return n < s->values.n ? machine_eval(r, s->values.at[n]) : 0;
}

rank_t machine_peer(struct ranked r, const struct peer_expression *peer, uint32_t comm)
{
    rank_t rank = peer->rank;
    if (rank == RANK_NONE) {
        touch(r, (uint32_t)peer->variable, false);
        rank = r.machine->value[peer->variable];
    } else if (rank == RANK_ANY) {
        return rank;
    }
    if (scenario_position(r.scenario, comm, rank) >= 0)
        return rank;
    machine_fail(r, FAULT_RANK);
    return RANK_NONE;
}

void machine_post(struct ranked r, const struct statement *s, uint32_t slot, bool stays)
{
    for (size_t i = 0; i < s->into.n && !s->word->take; i++)
        touch(r, s->into.at[i], true);
    if (r.machine->active[slot])
        machine_fail(r, FAULT_PENDING);
    else
        r.machine->active[slot] = stays;
}

uint32_t machine_requests(struct ranked r, const struct statement *s, uint32_t *slots)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s->requests.n; i++)
        if (r.machine->active[s->requests.at[i]])
            slots[n++] = s->requests.at[i];
    return n;
}

void machine_receive(struct ranked r, const struct statement *s, rank_t source, int32_t value)
{
    if (s->into.n)
        assign(r, (int32_t)s->into.at[0], value);
    assign(r, s->source_into, source);
}

void machine_arrive(struct ranked r, const struct statement *s, uint32_t partition, int32_t value)
{
    r.machine->parts.over[s->slot] |= (uint8_t)(1u << partition);
    assign(r, (int32_t)s->into.at[partition], value);
}

static int32_t reduce_values(uint32_t operator, int32_t left, int32_t right)
{
    switch (operator) {
    case OPERATOR_PROD:
        return expr_combine(EXPR_MULTIPLY, left, right);
    case OPERATOR_MAX:
        return left > right ? left : right;
    case OPERATOR_MIN:
        return left < right ? left : right;
    default:
        return expr_combine(EXPR_ADD, left, right);
    }
}

void machine_collect(struct ranked r, const struct statement *s, const struct coll_piece *piece)
{
    size_t n = r.scenario->comms.at[s->comm].members.n, taken = 0;
    bool any = false;
    int32_t sum = 0;
    for (size_t i = 0; i < n && s->into.n; i++) {
        if (!piece[i].brought)
            continue;
        if (s->reduction)
            sum = any ? reduce_values(s->reduction, sum, piece[i].value) : piece[i].value;
        else if (taken < s->into.n)
            assign(r, (int32_t)s->into.at[taken++], piece[i].value);
        any = true;
    }
    if (s->reduction && any)
        assign(r, (int32_t)s->into.at[0], sum);
}

void machine_return(struct ranked r, int32_t flag, bool cancelled)
{
    const struct statement *s = machine_call(r);
    set(r, s->flag_into, flag);
    set(r, s->cancelled_into, cancelled);
    r.machine->pc++;
    land(r);
}
