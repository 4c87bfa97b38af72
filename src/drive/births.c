#include "drive/births.h"

#include "base/die.h"
#include "call/dynamic.h"
#include "world/places.h"

struct segment births_await(struct reading *reading, struct memory *memory, node_id node)
{
    struct op call = {.size = sizeof call,
                      .kind = OP_RECV,
                      .flags = OPF_BLOCKING,
                      .request = 1,
                      .peer = RANK_ANY,
                      .tag = DYNAMIC_BIRTH,
                      .context = DYNAMIC_CONTEXT,
                      .bytes = UINT64_C(1) << 62};
    reading_begin(reading);
    reading_add(reading, memory, &call, node);
    return reading_segment(reading, SEGMENT_CALL, 0);
}

bool births_find(struct checkpoints *checkpoints, node_id node, struct birth_place *birth)
{
    const struct checkpoint *there = checkpoint_of(checkpoints, node);
    if (there->parent == NODE_NONE)
        return false;
    const struct op *message = there->ret->item->message;
    if (there->ret->items != 1 || !message || !op_is_birth(message))
        BUG("rank %d is started by something that is no birth", there->rank);
    *birth = (struct birth_place){payload_offset(checkpoints, message->payload), message->bytes};
    return true;
}

void births_learn_places(spawn_places_t *places, rank_t rank, const struct segment *segment)
{
    const struct op *op = segment->ops;
    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op))
        if (op_is_birth(op))
            spawn_places_learn(places, rank, op);
}
