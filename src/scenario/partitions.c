#include "scenario/partitions.h"

static struct machine_partitions *parts_of(struct ranked r)
{
    return &r.machine->parts;
}

static bool has_same_envelope(const struct statement *a, const struct statement *b)
{
    return a->word->call == b->word->call && a->peer.rank == b->peer.rank && a->comm == b->comm && a->tag == b->tag;
}

void partitions_make(struct ranked r, const struct statement *s)
{
    struct machine_partitions *parts = parts_of(r);
    const struct column *column = &r.scenario->column[r.rank];
    uint32_t number = 0;
    if (parts->pair[s->slot]) {
        machine_fail(r, FAULT_PENDING);
        return;
    }
    if (parts->made[s->slot] == UINT8_MAX) {
        machine_fail(r, FAULT_ENDLESS);
        return;
    }
    parts->made[s->slot]++;
    for (size_t i = 0; i < column->slots.n; i++) {
        const struct statement *other = &column->statements.at[column->slots.at[i].statement];
        if (other->word->verb == VERB_PARTITIONED && has_same_envelope(s, other))
            number += parts->made[i];
    }
    parts->pair[s->slot] = (uint8_t)number;
    if (number > UINT8_MAX)
        machine_fail(r, FAULT_ENDLESS);
}

void partitions_free(struct ranked r, uint32_t slot)
{
    struct machine_partitions *parts = parts_of(r);
    if (r.machine->active[slot] || !parts->pair[slot])
        machine_fail(r, FAULT_INACTIVE);
    parts->pair[slot] = 0;
}

void partitions_start(struct ranked r, const struct statement *made)
{
    struct machine_partitions *parts = parts_of(r);
    if (!parts->pair[made->slot]) {
        machine_fail(r, FAULT_INACTIVE);
        return;
    }
    machine_post(r, made, (uint32_t)made->slot, true);
    parts->over[made->slot] = parts->begun[made->slot] = parts->asked[made->slot] = 0;
}

static bool mark_partition(struct ranked r, const struct statement *made, int32_t number)
{
    uint8_t *over = &parts_of(r)->over[made->slot];
    if (!r.machine->active[made->slot] || !has_partition(made, number) || *over >> number & 1) {
        machine_fail(r, FAULT_PARTITION);
        return false;
    }
    *over |= (uint8_t)(1u << number);
    return true;
}

uint32_t partitions_mark(struct ranked r, const struct statement *call)
{
    const struct statement *made = partitions_made(r, call);
    uint8_t before = parts_of(r)->over[made->slot];
    bool range = call->word->call == CALL_Pready_range;
    int32_t first = machine_eval(r, call->values.at[0]), last = range ? machine_eval(r, call->values.at[1]) : first;
    if (first > last)
        machine_fail(r, FAULT_PARTITION);
    for (int32_t i = first; i <= last; i++)
        if (!mark_partition(r, made, i))
            return 0;
    for (size_t i = 1; i < call->values.n && !range; i++)
        if (!mark_partition(r, made, machine_eval(r, call->values.at[i])))
            return 0;
    return r.machine->state == MACHINE_RUNS ? parts_of(r)->over[made->slot] & (uint32_t)~before : 0;
}

void partitions_begin(struct ranked r, const struct statement *made, uint32_t sent)
{
    parts_of(r)->begun[made->slot] = true;
    if (!partitions_are_sent(made) && sent != partitions_of(made))
        machine_fail(r, FAULT_SIZES);
}
