#include "scenario/runner.h"

#include <string.h>

#include "base/die.h"
#include "base/hash.h"
#include "scenario/partition_calls.h"
#include "scenario/partitions.h"
#include "scenario/window_calls.h"

enum { LONGEST = 1000 };

void scenario_runner_init(struct scenario_runner *runner, const struct scenario *scenario)
{
    *runner = (struct scenario_runner){.scenario = scenario};
}

void scenario_runner_release(struct scenario_runner *runner)
{
    vec_release(&runner->at);
    vec_release(&runner->calls);
    emission_release(&runner->out);
}

/* ---- operations ---- */

static uint32_t statement_number(const struct going *g, const struct statement *s)
{
    return (uint32_t)(s - g->r.scenario->column[g->r.rank].statements.at);
}

static struct op op_of_statement(const struct going *g, const struct statement *s, enum op_kind kind)
{
    return (struct op){.kind = (uint8_t)kind,
                       .call = (uint16_t)s->word->call,
                       .context = s->word->port ? PORT_CONTEXT : FIRST_CONTEXT + s->comm,
                       .peer = RANK_NONE,
                       .place = statement_number(g, s) + 1};
}

const struct statement *scenario_statement(const struct scenario *scenario, rank_t rank, const struct op *op)
{
    return op->place && op->place <= scenario->column[rank].statements.n
               ? &scenario->column[rank].statements.at[op->place - 1]
               : NULL;
}

/* The window's own communicator, and that of ports, is one of all ranks. */
static void emit_contexts(struct going *g)
{
    const struct scenario *scenario = g->r.scenario;
    for (uint32_t c = 0; c < scenario->comms.n; c++)
        if (scenario_position(scenario, c, g->r.rank) >= 0)
            emit_context(g, FIRST_CONTEXT + c, scenario->comms.at[c].members.at, scenario->comms.at[c].members.n);
    if (scenario->numbers)
        emit_context(g, FENCE_CONTEXT, scenario->comms.at[0].members.at, scenario->comms.at[0].members.n);
    if (scenario->ports)
        emit_context(g, PORT_CONTEXT, scenario->comms.at[0].members.at, scenario->comms.at[0].members.n);
}

/* Posts a send or the receive of a statement; blocking: the call waits for it. */
static void emit_send(struct going *g, const struct statement *s, bool blocking)
{
    struct op op = op_of_statement(g, s, OP_SEND);
    op.peer = machine_peer(g->r, &s->peer, s->comm);
    op.tag = s->tag;
    op.flags = s->word->mode | (blocking ? OPF_BLOCKING : 0);
    op.request = (uint32_t)s->slot + 1;
    op.bytes = VALUE_BYTES;
    op.count = 1;
    int32_t value = machine_value(g->r, s, 0);
    machine_post(g->r, s, (uint32_t)s->slot, !s->word->blocking);
    if (g->r.machine->state != MACHINE_RUNS)
        return;
    emit_op(g, &op, NULL, 0);
    emit_content(g, value);
}

static void emit_recv(struct going *g, const struct statement *s, int32_t slot, bool blocking)
{
    struct op op = op_of_statement(g, s, OP_RECV);
    op.peer = machine_peer(g->r, &s->source, s->comm);
    op.tag = s->source_tag;
    op.flags = blocking ? OPF_BLOCKING : 0;
    op.request = (uint32_t)slot + 1;
    op.bytes = VALUE_BYTES;
    op.count = 1;
    machine_post(g->r, s, (uint32_t)slot, !s->word->blocking);
    if (g->r.machine->state == MACHINE_RUNS)
        emit_op(g, &op, NULL, 0);
}

static const struct statement *maker_of(const struct going *g, uint32_t slot)
{
    const struct column *column = &g->r.scenario->column[g->r.rank];
    return &column->statements.at[column->slots.at[slot].statement];
}

static void emit_wait(struct going *g, const struct statement *s, const uint32_t *slots, uint32_t n)
{
    static const uint32_t flags[] = {[SELECT_ALL] = 0, [SELECT_ANY] = OPF_ANY, [SELECT_SOME] = OPF_SOME};
    struct op op = op_of_statement(g, s, s->word->poll ? OP_TEST : OP_WAIT);
    uint32_t numbers[SCENARIO_REQUESTS * (SCENARIO_PARTITIONS + 1)], listed = 0;
    for (uint32_t i = 0; i < n; i++)
        if (maker_of(g, slots[i])->word->verb == VERB_PARTITIONED)
            listed += partition_requests(g, maker_of(g, slots[i]), numbers + listed);
        else
            numbers[listed++] = slots[i] + 1;
    op.flags = flags[s->word->select];
    emit_wait_for(g, &op, numbers, listed);
}

static void emit_probe(struct going *g, const struct statement *s)
{
    struct op op = op_of_statement(g, s, s->word->poll ? OP_IPROBE : OP_PROBE);
    op.peer = machine_peer(g->r, &s->source, s->comm);
    op.tag = s->source_tag;
    op.flags = s->word->take ? OPF_TAKE : 0;
    op.request = s->word->take ? (uint32_t)s->slot + 1 : 0;
    if (s->word->take)
        machine_post(g->r, s, (uint32_t)s->slot, false);
    if (g->r.machine->state == MACHINE_RUNS)
        emit_op(g, &op, NULL, 0);
}

static int root_of(const struct going *g, const struct statement *s)
{
    return scenario_position(g->r.scenario, s->comm, s->peer.rank);
}

/* Whether the value is one for everybody: else there is one for each member. */
static bool is_one_for_all(enum coll_kind kind)
{
    return kind != COLL_SCATTER && kind != COLL_ALLTOALL;
}

static void emit_coll(struct going *g, const struct statement *s)
{
    struct {
        struct op_coll coll;
        struct op_slice slice[SCENARIO_RANKS];
    } tail = {.coll = {.reduction = s->reduction}};
    enum coll_kind kind = s->word->coll;
    struct op op = op_of_statement(g, s, OP_COLL);
    int members = (int)g->r.scenario->comms.at[s->comm].members.n;
    int me = scenario_position(g->r.scenario, s->comm, g->r.rank), root = root_of(g, s);
    bool brings = s->values.n && (kind != COLL_BCAST || me == root);
    size_t contents = g->out->contents.n;
    op.peer = root >= 0 ? s->peer.rank : RANK_NONE;
    op.flags = s->word->blocking ? OPF_BLOCKING : 0;
    op.request = (uint32_t)s->slot + 1;
    op.bytes = VALUE_BYTES;
    op.count = 1;
    for (int p = members - 1; p >= 0; p--)
        if (coll_needs(kind, root, me, p)) {
            tail.coll.from = (uint32_t)p;
            tail.coll.until = tail.coll.until ? tail.coll.until : (uint32_t)p + 1;
        }
    tail.coll.slices = !brings ? 0 : is_one_for_all(kind) ? 1 : (uint32_t)members;
    for (uint32_t i = 0; i < tail.coll.slices; i++) {
        tail.slice[i] =
            (struct op_slice){.to = is_one_for_all(kind) ? SLICE_FOR_ALL : (int32_t)i, .bytes = VALUE_BYTES};
        emit_content(g, machine_value(g->r, s, i));
    }
    machine_post(g->r, s, (uint32_t)s->slot, !s->word->blocking);
    if (g->r.machine->state != MACHINE_RUNS) {
        g->out->contents.n = contents;
        return;
    }
    op.tag = (int32_t)g->r.machine->turns[s->comm]++;
    emit_op(g, &op, &tail, sizeof tail.coll + tail.coll.slices * sizeof *tail.slice);
}

static void emit_cancel(struct going *g, const struct statement *s)
{
    uint32_t slot = s->requests.at[0];
    struct op op = op_of_statement(g, s, s->word->verb == VERB_CANCEL ? OP_CANCEL : OP_FREE);
    if (maker_of(g, slot)->word->verb == VERB_PARTITIONED) {
        partitions_free(g->r, slot);
        return;
    }
    op.request = slot + 1;
    op.flags = OPF_WENT_ON;
    if (!g->r.machine->active[slot] && g->r.scenario->column[g->r.rank].slots.at[slot].persistent &&
        s->word->verb == VERB_FREE)
        return;
    if (!g->r.machine->active[slot]) {
        machine_fail(g->r, FAULT_INACTIVE);
        return;
    }
    emit_op(g, &op, NULL, 0);
    if (s->word->verb == VERB_FREE)
        g->r.machine->active[slot] = false;
}

static void emit_starts(struct going *g, const struct statement *s)
{
    for (size_t i = 0; i < s->requests.n && g->r.machine->state == MACHINE_RUNS; i++) {
        const struct statement *prepared = maker_of(g, s->requests.at[i]);
        if (prepared->word->verb == VERB_PARTITIONED)
            partitions_emit_start(g, prepared);
        else if (prepared->word->verb == VERB_SEND)
            emit_send(g, prepared, false);
        else
            emit_recv(g, prepared, prepared->slot, false);
    }
}

static void emit_mrecv(struct going *g, const struct statement *s)
{
    struct op op = op_of_statement(g, s, OP_TAKEN);
    op.request = s->requests.at[0] + 1;
    op.flags = OPF_WENT_ON;
    op.bytes = VALUE_BYTES;
    op.count = 1;
    if (!g->r.machine->active[s->requests.at[0]]) {
        machine_fail(g->r, FAULT_INACTIVE);
        return;
    }
    emit_op(g, &op, NULL, 0);
    emit_wait(g, s, s->requests.at, 1);
}

static void emit_sendrecv(struct going *g, const struct statement *s)
{
    uint32_t slots[] = {(uint32_t)s->slot, (uint32_t)s->other_slot};
    emit_send(g, s, false);
    if (g->r.machine->state == MACHINE_RUNS)
        emit_recv(g, s, s->other_slot, false);
    if (g->r.machine->state == MACHINE_RUNS)
        emit_wait(g, s, slots, 2);
}

/* Issues the call at hand; whether it waits for an answer, and stays at hand. */
static bool issue(struct going *g)
{
    const struct statement *s = machine_call(g->r);
    uint32_t slots[SCENARIO_REQUESTS];
    switch (s->word->verb) {
    case VERB_SEND:
        if (!s->word->persistent)
            emit_send(g, s, s->word->blocking);
        break;
    case VERB_RECV:
        if (!s->word->persistent)
            emit_recv(g, s, s->slot, s->word->blocking);
        break;
    case VERB_SENDRECV:
        emit_sendrecv(g, s);
        break;
    case VERB_PROBE:
        emit_probe(g, s);
        break;
    case VERB_MRECV:
        emit_mrecv(g, s);
        break;
    case VERB_START:
        emit_starts(g, s);
        break;
    case VERB_COMPLETE:
        emit_wait(g, s, slots, machine_requests(g->r, s, slots));
        break;
    case VERB_CANCEL:
    case VERB_FREE:
        emit_cancel(g, s);
        break;
    case VERB_COLL:
        emit_coll(g, s);
        break;
    case VERB_ACCESS:
    case VERB_EPOCH:
        return window_call_issue(g, s);
    case VERB_PARTITIONED:
        partitions_emit_init(g, s);
        break;
    case VERB_READY:
        partitions_emit_ready(g, s);
        break;
    case VERB_ARRIVED:
        partitions_emit_arrived(g, s);
        break;
    case VERB_ASSIGN:
    case VERB_IF:
    case VERB_ELSE:
    case VERB_WHILE:
    case VERB_END:
    case VERB_ERROR:
        BUG("a rank stands at a statement that is no MPI call");
    }
    return s->word->blocking || s->word->poll;
}

/* Up to the next call that waits for an answer, or to the end. */
static void issue_calls(struct going *g)
{
    while (g->r.machine->state == MACHINE_RUNS) {
        if (issue(g) || g->r.machine->state != MACHINE_RUNS)
            return;
        machine_return(g->r, 0, false);
    }
}

/* ---- answers ---- */

/* The statement that made the operation of a request, or that is to take what it brings. */
static const struct statement *taker(const struct going *g, uint32_t request)
{
    const struct statement *call = machine_call(g->r);
    return call->word->verb == VERB_COMPLETE ? maker_of(g, request - 1) : call;
}

static void take_pieces(struct going *g, const struct statement *s, const struct answer_item *item, const struct ret *ret)
{
    struct coll_piece piece[SCENARIO_RANKS] = {{0}};
    for (uint32_t i = 0; i < item->pieces; i++) {
        const struct answer_piece *p = &ret->piece[item->first_piece + i];
        if (p->slice != NO_SLICE)
            piece[p->from] = (struct coll_piece){value_of_content(p->content), true};
    }
    machine_collect(g->r, s, piece);
}

/* What a completion call tells: yes, or which of its list, or how many. */
static int32_t flag_of(const struct statement *s, const struct ret *ret)
{
    if (s->word->verb != VERB_COMPLETE || s->word->select == SELECT_ALL)
        return ret->flag;
    if (s->word->select == SELECT_SOME)
        return (int32_t)ret->items;
    for (size_t i = 0; i < s->requests.n && ret->items; i++)
        if (s->requests.at[i] + 1 == ret->item[0].request)
            return (int32_t)i;
    return -1;
}

/* P4: only when the start of a receive has met its other side are its partitions waited for: the call is issued again. */
static bool has_parts_to_come(const struct going *g, const struct statement *call)
{
    if (call->word->verb != VERB_COMPLETE)
        return false;
    partitions_settle(g->r, call);
    for (size_t i = 0; i < call->requests.n; i++)
        if (g->r.machine->active[call->requests.at[i]] && maker_of(g, call->requests.at[i])->word->verb == VERB_PARTITIONED)
            return true;
    return false;
}

static void hand_over_values(struct going *g, const struct ret *ret)
{
    const struct statement *call = machine_call(g->r);
    int32_t flag = flag_of(call, ret);
    bool cancelled = false;
    if (call->word->verb == VERB_EPOCH) {
        window_call_answer(g, ret);
        return;
    }
    for (uint32_t i = 0; i < ret->items && g->r.machine->state == MACHINE_RUNS; i++) {
        const struct answer_item *item = &ret->item[i];
        if (partition_take(g, item))
            continue;
        const struct statement *s = taker(g, item->request);
        if (call->word->verb == VERB_COMPLETE || call->word->verb == VERB_MRECV)
            g->r.machine->active[item->request - 1] = false;
        cancelled = cancelled || item->flags & ANSWERED_CANCELLED;
        if (call->word->verb == VERB_PROBE)
            machine_receive(g->r, s, item->source, 0);
        else if (item->message)
            machine_receive(g->r, s, item->source, value_of_content(item->content));
        else if (s->word->verb == VERB_COLL)
            take_pieces(g, s, item, ret);
    }
    if (call->word->take && ret->flag)
        g->r.machine->active[call->slot] = true;
    if (g->r.machine->state == MACHINE_RUNS && !(ret->flag && has_parts_to_come(g, call)))
        machine_return(g->r, flag, cancelled);
}

static struct map_key image_of(const struct machine *machine)
{
    struct map_key sum = HASH_START;
    hash_stir(&sum, hash_bytes(1, machine, sizeof *machine));
    hash_stir(&sum, hash_bytes(2, machine, sizeof *machine));
    return sum;
}

/* ---- keepers of the window ---- */

/* To a rank, what was read; the number of what changed tells a rank nothing, which has no private copy. */
static int32_t value_of_letter(const struct keeper_letter *letter, const char *text)
{
    int32_t value = 0;
    if (letter->tag != WINDOW_NEWS && letter->bytes >= sizeof(struct window_answer) + sizeof value)
        memcpy(&value, text + letter->at + sizeof(struct window_answer), sizeof value);
    return value;
}

static void emit_keeper_ops(struct going *g, const struct keeper_mail *mail, struct keeper_wait wait)
{
    for (size_t i = 0; i < mail->letter.n; i++) {
        const struct keeper_letter *letter = &mail->letter.at[i];
        emit_op(g,
                &(struct op){.kind = OP_SEND,
                             .flags = OPF_BUFFERED | OPF_BLOCKING | OPF_WENT_ON,
                             .peer = letter->to,
                             .tag = letter->tag,
                             .context = KEEPER_CONTEXT,
                             .bytes = VALUE_BYTES},
                NULL, 0);
        emit_content(g, value_of_letter(letter, mail->text.at));
    }
    emit_op(g,
            &(struct op){.kind = OP_RECV,
                         .flags = OPF_BLOCKING,
                         .request = 1,
                         .peer = wait.from,
                         .tag = wait.tag,
                         .context = KEEPER_CONTEXT,
                         .bytes = WINDOW_ANSWER_ROOM},
            NULL, 0);
}

static void run_scenario_keeper(struct going *g, node_id from, const struct ret *ret, node_id to, struct segment *segment)
{
    const struct scenario *scenario = g->r.scenario;
    struct keeper_mail mail = {0};
    const struct keeper *keeper = window_keepers_go(&g->out->keepers, scenario->ranks, g->r.rank,
                                                    scenario->numbers * VALUE_BYTES, from, ret, to, &mail);
    emit_keeper_ops(g, &mail, keeper_waits_for(keeper));
    keeper_mail_release(&mail);
    *segment = (struct segment){.ops = (const struct op *)g->out->ops.at,
                                .count = g->out->count,
                                .contents = g->out->contents.at,
                                .end = SEGMENT_CALL,
                                .imaged = true,
                                .image = keeper_digest(keeper)};
}

static int run_scenario(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to,
                        struct segment *segment)
{
    struct scenario_runner *runner = data;
    struct machine machine;
    struct going g = {&runner->out, {runner->scenario, rank, &machine}};
    vec_clear(&runner->out.ops);
    vec_clear(&runner->out.contents);
    runner->out.count = 0;
    if (rank >= runner->scenario->ranks) {
        run_scenario_keeper(&g, from, ret, to, segment);
        return 0;
    }
    if (from) {
        machine = runner->at.at[from];
        hand_over_values(&g, ret);
    } else {
        emit_contexts(&g);
        machine_start(g.r);
    }
    if (from && runner->calls.at[from] == LONGEST && machine.state == MACHINE_RUNS)
        machine_fail(g.r, FAULT_ENDLESS);
    issue_calls(&g);
    if (machine.state == MACHINE_ERROR)
        emit_op(&g, &(struct op){.kind = OP_ABORT, .call = CALL_Abort, .place = machine.pc + 1}, NULL, 0);
    while (runner->at.n <= to) {
        vec_push(&runner->at, (struct machine){0});
        vec_push(&runner->calls, 0);
    }
    runner->at.at[to] = machine;
    runner->calls.at[to] = from ? runner->calls.at[from] + 1 : 0;
    *segment = (struct segment){.ops = (const struct op *)runner->out.ops.at,
                                .count = runner->out.count,
                                .contents = runner->out.contents.at,
                                .end = machine.state == MACHINE_ERROR   ? SEGMENT_ABORT
                                       : machine.state == MACHINE_ENDED ? SEGMENT_EXIT
                                                                        : SEGMENT_CALL,
                                .imaged = machine.state != MACHINE_ERROR, /* what it has in its variables may be claimed when it has ended */
                                .image = image_of(&machine)};
    return 0;
}

struct runner scenario_runner(struct scenario_runner *runner)
{
    return (struct runner){.run = run_scenario, .data = runner};
}

struct explore_options scenario_options(const struct scenario *scenario)
{
    return (struct explore_options){.ranks = scenario->ranks,
                                    .slack = scenario->slack,
                                    .any_slack = scenario->any_slack,
                                    .windows = {.slots = scenario->numbers > 0},
                                    .ahead = LONGEST / 4,
                                    .patience = LONGEST / 2, /* before it is called endless */
                                    .every_slack_deadlock = scenario->any_slack};
}
