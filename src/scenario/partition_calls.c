#include "scenario/partition_calls.h"

#include "scenario/partitions.h"

/* ---- pairs ---- */

enum { PAIR_CONTEXTS = 56 }; /* a bit that no other context has */

/* Both sides come to the same number: the envelope, and which one of its pairs it is (P1). */
static context_t pair_context(const struct going *g, const struct statement *made, bool of_parts)
{
    bool sends = partitions_are_sent(made);
    uint64_t source = (uint64_t)(sends ? g->r.rank : made->peer.rank), dest = (uint64_t)(sends ? made->peer.rank : g->r.rank);
    uint64_t number = (uint32_t)made->tag;
    number = number * SCENARIO_COMMS + made->comm;
    number = (number * SCENARIO_RANKS + source) * SCENARIO_RANKS + dest;
    number = number * (UINT8_MAX + 1) + g->r.machine->parts.pair[made->slot];
    return (UINT64_C(1) << PAIR_CONTEXTS) + number * 2 + of_parts;
}

static void announce_pair(struct going *g, const struct statement *made)
{
    bool sends = partitions_are_sent(made);
    rank_t members[] = {sends ? g->r.rank : made->peer.rank, sends ? made->peer.rank : g->r.rank};
    for (int of_parts = 0; of_parts < 2; of_parts++)
        emit_context(g, pair_context(g, made, of_parts), members, made->peer.rank == g->r.rank ? 1 : 2);
}

void partitions_emit_init(struct going *g, const struct statement *s)
{
    partitions_make(g->r, s);
    if (g->r.machine->state == MACHINE_RUNS)
        announce_pair(g, s);
}

/* ---- requests ---- */

static uint32_t number_of_partition(const struct statement *made, uint32_t partition)
{
    return PARTITION_NUMBERS + (uint32_t)made->slot * (SCENARIO_PARTITIONS + 1) + partition;
}

bool partition_of_number(uint32_t number, uint32_t *slot, uint32_t *partition)
{
    if (number < PARTITION_NUMBERS || number >= PARTITION_LAST_NUMBER)
        return false;
    *slot = (number - PARTITION_NUMBERS) / (SCENARIO_PARTITIONS + 1);
    *partition = (number - PARTITION_NUMBERS) % (SCENARIO_PARTITIONS + 1);
    return true;
}

static const struct statement *maker_of_request(const struct going *g, uint32_t slot)
{
    const struct column *column = &g->r.scenario->column[g->r.rank];
    return &column->statements.at[column->slots.at[slot].statement];
}

/* ---- operations ---- */

static uint64_t place_of_call(const struct going *g, const struct statement *s)
{
    return (uint64_t)(s - g->r.scenario->column[g->r.rank].statements.at) + 1;
}

static struct op part_op(const struct going *g, const struct statement *made, enum op_kind kind, uint32_t partition)
{
    return (struct op){.kind = (uint8_t)kind,
                       .call = kind == OP_SEND ? CALL_Pready : CALL_Parrived,
                       .peer = made->peer.rank,
                       .tag = (int32_t)partition,
                       .context = pair_context(g, made, true),
                       .bytes = VALUE_BYTES,
                       .count = 1};
}

static void emit_part_receive(struct going *g, const struct statement *made, uint32_t partition, rank_t from)
{
    struct op op = part_op(g, made, OP_RECV, partition);
    op.peer = from;
    op.request = number_of_partition(made, partition);
    emit_op(g, &op, NULL, 0);
}

/* P3: what is marked ready waits for nobody. */
static void emit_part_send(struct going *g, const struct statement *made, uint32_t partition, rank_t to, int32_t value, uint64_t place)
{
    struct op op = part_op(g, made, OP_SEND, partition);
    op.peer = to;
    op.flags = OPF_BUFFERED | OPF_BLOCKING | OPF_WENT_ON;
    op.place = place;
    emit_op(g, &op, NULL, 0);
    emit_content(g, value);
}

/* P2. */
void partitions_emit_start(struct going *g, const struct statement *made)
{
    bool sends = partitions_are_sent(made);
    partitions_start(g->r, made);
    if (g->r.machine->state != MACHINE_RUNS)
        return;
    struct op op = {.kind = sends ? OP_SEND : OP_RECV,
                    .call = (uint16_t)made->word->call,
                    .request = (uint32_t)made->slot + 1,
                    .peer = made->peer.rank,
                    .tag = made->tag,
                    .context = pair_context(g, made, false),
                    .place = place_of_call(g, made),
                    .bytes = VALUE_BYTES,
                    .count = 1};
    emit_op(g, &op, NULL, 0);
    if (sends)
        emit_content(g, (int32_t)partitions_of(made));
    for (uint32_t i = 0; i < partitions_of(made) && !sends; i++)
        emit_part_receive(g, made, i, made->peer.rank);
}

/* That all are ready the rank tells itself, if it has asked for the request before. */
void partitions_emit_ready(struct going *g, const struct statement *call)
{
    const struct statement *made = partitions_made(g->r, call);
    uint32_t marked = partitions_mark(g->r, call);
    uint64_t place = place_of_call(g, call);
    for (uint32_t i = 0; marked >> i; i++)
        if (marked >> i & 1) {
            emit_part_send(g, made, i, made->peer.rank, machine_eval(g->r, made->values.at[i]), place);
            place = 0; /* the others belong to the same call */
        }
    if (marked && partitions_are_all_over(g->r, made) && g->r.machine->parts.asked[made->slot])
        emit_part_send(g, made, partitions_of(made), g->r.rank, 0, 0);
}

uint32_t partition_requests(struct going *g, const struct statement *made, uint32_t *numbers)
{
    struct machine_partitions *parts = &g->r.machine->parts;
    uint32_t n = 0, of = partitions_of(made);
    bool sends = partitions_are_sent(made);
    if (!parts->begun[made->slot])
        numbers[n++] = (uint32_t)made->slot + 1;
    for (uint32_t i = 0; i < of && !sends && parts->begun[made->slot]; i++)
        if (!(parts->over[made->slot] >> i & 1))
            numbers[n++] = number_of_partition(made, i);
    if (!sends || partitions_are_all_over(g->r, made))
        return n;
    if (!parts->asked[made->slot])
        emit_part_receive(g, made, of, g->r.rank);
    parts->asked[made->slot] = true;
    numbers[n++] = number_of_partition(made, of);
    return n;
}

/* P4: a poll for the start of the other side, if that is not known to have come, and for the partition. */
void partitions_emit_arrived(struct going *g, const struct statement *call)
{
    const struct statement *made = partitions_made(g->r, call);
    uint32_t numbers[2], n = 0, partition = partition_asked(g->r, call);
    struct op op = {.kind = OP_TEST, .call = CALL_Parrived, .peer = RANK_NONE, .place = place_of_call(g, call)};
    if (g->r.machine->state != MACHINE_RUNS)
        return;
    if (!g->r.machine->parts.begun[made->slot])
        numbers[n++] = (uint32_t)made->slot + 1;
    numbers[n++] = number_of_partition(made, partition);
    emit_wait_for(g, &op, numbers, n);
}

/* ---- answers ---- */

bool partition_take(struct going *g, const struct answer_item *item)
{
    uint32_t slot, partition;
    if (partition_of_number(item->request, &slot, &partition)) {
        const struct statement *made = maker_of_request(g, slot);
        if (!partitions_are_sent(made))
            machine_arrive(g->r, made, partition, value_of_content(item->content));
        return true;
    }
    if (item->request == 0 || item->request > SCENARIO_REQUESTS)
        return false;
    const struct statement *made = maker_of_request(g, item->request - 1);
    if (made->word->verb != VERB_PARTITIONED)
        return false;
    partitions_begin(g->r, made, item->message ? (uint32_t)value_of_content(item->content) : 0);
    return true;
}
