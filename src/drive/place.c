#include "drive/place.h"

#include "base/die.h"

void place_release(struct place *place)
{
    free(place->payload);
    free(place->called);
    vec_release(&place->wild);
}

static void note_wild(struct place *place, const struct op *op)
{
    if (op->kind == OP_RECV && op->peer == RANK_ANY && op->request)
        vec_push(&place->wild, op->request);
}

static bool is_wild(const struct place *place, uint32_t request)
{
    for (size_t i = 0; i < place->wild.n; i++)
        if (place->wild.at[i] == request)
            return true;
    return false;
}

/* Whether MPI leaves open what the call returns. */
static bool is_open(const struct place *place, const struct op *call)
{
    if (op_is_poll(call) || call->flags & (OPF_ANY | OPF_SOME))
        return true;
    if (call->kind != OP_WAIT)
        return call->peer == RANK_ANY && call->kind != OP_COLL;
    const uint32_t *number = op_tail(call);
    for (uint32_t i = 0; i < call->items; i++)
        if (is_wild(place, number[i]))
            return true;
    return false;
}

static void forget_completed(struct place *place)
{
    const struct ret *ret = place->ret;
    for (uint32_t i = 0; i < ret->items; i++)
        for (size_t k = 0; k < place->wild.n; k++)
            if (place->wild.at[k] == ret->item[i].request) {
                place->wild.at[k] = vec_last(&place->wild);
                place->wild.n--;
                break;
            }
}

struct place *places_add(struct places *places, rank_t rank, node_id from, const struct ret *ret, node_id to)
{
    while (places->at.n <= to)
        vec_push(&places->at, (struct place){.animal = -1});
    struct place *place = place_of(places, to);
    *place = (struct place){.rank = rank, .parent = from, .ret = ret, .animal = -1};
    if (!from)
        return place;
    vec_copy(&place->wild, &place_of(places, from)->wild);
    forget_completed(place);
    place_of(places, from)->answers++;
    return place;
}

void place_learn(struct place *place, const struct segment *segment)
{
    const struct op *op = segment->ops;
    place->sum = segment_sum(segment);
    place->shape = segment_shape(segment);
    place->code = segment->code;
    place->ended = segment->end != SEGMENT_CALL;
    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op)) {
        note_wild(place, op);
        place->brings += op->payload != 0;
        if (segment->end == SEGMENT_CALL && i + 1 == segment->count)
            place->open = is_open(place, op);
    }
}

void place_keep(struct place *place, const struct reading *reading)
{
    if (place->brings != reading->payload.n)
        BUG("%zu payloads where there are %u", reading->payload.n, place->brings);
    if (!place->brings)
        return;
    place->payload = xmemdup(reading->payload.at, place->brings, sizeof *place->payload);
}

void place_drop(struct place *place, struct memory *memory)
{
    for (uint32_t i = 0; place->payload && i < place->brings; i++)
        arena_give(memory, place->payload[i].at, place->payload[i].bytes);
    free(place->payload);
    place->payload = NULL;
}

void place_note_calls(struct place *place, const struct reading *reading)
{
    if (!reading->called.n)
        return;
    place->calls = (uint32_t)reading->called.n;
    place->called = xmemdup(reading->called.at, place->calls, sizeof *place->called);
}

uint64_t payload_offset(const struct places *places, uint64_t name)
{
    const struct place *place = place_of(places, payload_node(name));
    if (!place->payload || payload_number(name) >= place->brings)
        BUG("payload %zu of rank %d is not there", payload_number(name), place->rank);
    return place->payload[payload_number(name)].at;
}
