#include "drive/reading.h"

#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/hash.h"
#include "call/complaint.h"
#include "call/file_use.h"
#include "world/stack.h"

/* How much of the tail stays with the operation: not the payload, which is kept in the arena. */
static size_t lasting_tail(const struct op *op)
{
    if (op->kind == OP_SEND)
        return 0;
    if (op->kind != OP_COLL)
        return op_tail_size(op);
    return op_coll_size(op_tail(op));
}

static struct payload_block keep_payload_block(struct memory *memory, const struct op *op, size_t tail)
{
    struct payload_block block = {.at = op->payload, .bytes = op->bytes};
    if (block.at || block.bytes == 0)
        return block;
    block.at = arena_take(memory, op->bytes);
    memcpy(arena_at(memory, block.at), (const char *)op_tail(op) + tail, op->bytes);
    return block;
}

/* One of all of them together. */
static uint64_t add_content_hashes(struct reading *reading, const struct op *op, const char *payload)
{
    size_t first = reading->contents.n;
    if (op->kind == OP_SEND) {
        vec_push(&reading->contents, hash_bytes(0, payload, op->bytes));
        return vec_last(&reading->contents);
    }
    const struct op_coll *coll = op_tail(op);
    const struct op_slice *slice = op_coll_slices(coll);
    for (uint32_t i = 0; i < coll->slices; payload += slice[i++].bytes)
        vec_push(&reading->contents, hash_bytes(0, payload, slice[i].bytes));
    return hash_bytes(0, reading->contents.at + first, (reading->contents.n - first) * sizeof *reading->contents.at);
}

/* Its payload stays in the arena, its hashes go to the contents, its name into the operation. */
static void bring_payload(struct reading *reading, struct memory *memory, const struct op *posted, size_t tail,
                          node_id node, struct op *kept)
{
    struct payload_block block = keep_payload_block(memory, posted, tail);
    block.sum = add_content_hashes(reading, kept, arena_at(memory, block.at));
    kept->payload = block.at ? payload_name(node, reading->payload.n) : 0;
    if (!block.at)
        return;
    vec_push(&reading->payload, block);
    vec_push(&reading->origin, posted->payload ? memory->head->arena + posted->payload
                                               : (uint64_t)((const char *)op_tail(posted) + tail - memory->base));
}

/* Appends an operation to the segment, its list in the tail; and what was told before it. */
static const struct op *append_op(struct reading *reading, struct memory *memory, const struct op *op,
                                  const struct told_before *before, rank_t rank, node_id node)
{
    bool lists = (op->kind == OP_WAIT || op->kind == OP_TEST) && op->payload;
    size_t tail = lists ? op->items * sizeof(uint32_t) : lasting_tail(op);
    size_t size = op_round(sizeof *op + tail), start = reading->ops.n;
    vec_reserve(&reading->ops, size);
    struct op *kept = (struct op *)(reading->ops.at + start);
    memset(kept, 0, size);
    *kept = *op;
    kept->size = size;
    if (tail)
        memcpy(kept + 1, lists ? arena_at(memory, op->payload) : op_tail(op), tail);
    if (lists) {
        arena_give(memory, op->payload, tail);
        kept->payload = 0;
    }
    if (op->kind == OP_SEND || op->kind == OP_COLL)
        bring_payload(reading, memory, op, tail, node, kept);
    if (reading->stacks)
        vec_push(&reading->called,
                 before->stack ? stacks_add(reading->stacks, op_tail(before->stack), before->stack->items) : 0);
    reading->touched_any |= before->touch_records > 0;
    for (uint32_t i = 0; reading->touches && i < before->touch_records; i++)
        reading->touched_unseen |= !touches_read(reading->touches, rank, reading->count, op_tail(before->touches[i]),
                                                 before->touches[i]->items, &reading->touched);
    reading->ops.n += size;
    reading->count++;
    return kept;
}

/* Stops it, too. */
static void append_stack(struct reading *reading, struct herd *herd, int animal, node_id node)
{
    struct {
        struct op op;
        uint64_t address[STACK_DEPTH];
    } hang = {.op = {.kind = OP_CRASH}};
    hang.op.items = stack_take(herd_process(herd, animal), hang.address);
    hang.op.size = sizeof hang.op + hang.op.items * sizeof *hang.address;
    append_op(reading, &herd->memory, &hang.op, &(struct told_before){0}, RANK_NONE, node);
}

static enum segment_end how_it_ended(struct reading *reading, struct herd *herd, int animal, node_id node, int *code)
{
    if (herd->animal[animal].hangs) {
        append_stack(reading, herd, animal, node);
        *code = herd->options.hang_timeout;
        return SEGMENT_HUNG;
    }
    int status = herd->animal[animal].status;
    *code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return WIFSIGNALED(status) ? SEGMENT_CRASH : SEGMENT_EXIT;
}

static enum segment_end read_on(struct reading *reading, struct herd *herd, int animal, node_id node, int *code)
{
    for (;;) {
        const struct op *posted = herd_next(herd, animal);
        if (!posted)
            return how_it_ended(reading, herd, animal, node, code);
        if (posted->kind == OP_ROOM) {
            herd_give_room(herd, animal);
            continue;
        }
        if (posted->kind == OP_PLACES) {
            rank_t first = herd_take_places(herd, herd->animal[animal].rank, posted);
            if (herd->wanted)
                return SEGMENT_UNKNOWN;
            herd_take(herd, animal);
            herd_answer(herd, animal, (struct answer){.kind = ANSWER_ROOM, .payload = first == RANK_NONE ? 0 : (uint64_t)first}, NULL, 0);
            continue;
        }
        const struct op *op = append_op(reading, &herd->memory, posted, &herd->animal[animal].before,
                                        herd->animal[animal].rank, node);
        reading->told = microseconds();
        herd_take(herd, animal);
        *code = 0;
        if (op_wants_answer(op))
            return SEGMENT_CALL;
        *code = op->code;
        if (op_ends_rank(op))
            return segment_end_by(op);
        if (reading->count == reading->stop)
            return SEGMENT_CALL;
        if (herd->memory.head->stepped)
            herd_answer(herd, animal, (struct answer){.kind = ANSWER_GO}, NULL, 0);
    }
}

void reading_begin(struct reading *reading)
{
    vec_clear(&reading->ops);
    vec_clear(&reading->contents);
    vec_clear(&reading->payload);
    vec_clear(&reading->origin);
    vec_clear(&reading->called);
    vec_clear(&reading->touched);
    reading->touched_unseen = reading->touched_any = false;
    reading->count = 0;
}

void reading_add(struct reading *reading, struct memory *memory, const struct op *op, node_id node)
{
    append_op(reading, memory, op, &(struct told_before){0}, RANK_NONE, node);
}

struct segment reading_segment(const struct reading *reading, enum segment_end end, int code)
{
    return (struct segment){.ops = (const struct op *)reading->ops.at,
                            .count = reading->count,
                            .contents = reading->contents.at,
                            .end = end,
                            .code = code};
}

struct segment reading_take(struct reading *reading, struct herd *herd, int animal, node_id node)
{
    int code = 0;
    reading_begin(reading);
    enum segment_end end = read_on(reading, herd, animal, node, &code);
    struct segment segment = reading_segment(reading, end, code);
    segment.noes = herd_noes(herd, animal);
    return segment;
}

void reading_drop(struct reading *reading, struct herd *herd)
{
    for (size_t i = 0; i < reading->payload.n; i++)
        arena_give(&herd->memory, reading->payload.at[i].at, reading->payload.at[i].bytes);
    vec_clear(&reading->payload);
}

void reading_release(struct reading *reading)
{
    vec_release(&reading->ops);
    vec_release(&reading->contents);
    vec_release(&reading->payload);
    vec_release(&reading->origin);
    vec_release(&reading->called);
    vec_release(&reading->touched);
}

/* Whether a call comes while another thread is in one is their timing, and no part of what the rank does. */
static bool is_chance(const struct op *op)
{
    return op->kind == OP_COMPLAINT && op->complaint == COMPLAINT_THREAD_LEVEL;
}

/* What is written to a file is data, as what is in a message. */
static uint64_t hash_op_tail(uint64_t sum, const struct op *op)
{
    const struct file_use *use = op_tail(op);
    if (op->kind != OP_FILE_ACCESS || op_tail_size(op) < sizeof *use)
        return hash_bytes(sum, op_tail(op), op_tail_size(op));
    struct file_use same = *use;
    same.sum = 0;
    sum = hash_bytes(sum, &same, sizeof same);
    return hash_bytes(sum, use + 1, op_tail_size(op) - sizeof *use);
}

uint64_t segment_shape(const struct segment *segment)
{
    uint64_t sum = (uint64_t)segment->end << 32 | (uint32_t)segment->code;
    const struct op *op = segment->ops;
    for (uint32_t i = 0; i < segment->count; i++, op = op_next(op)) {
        struct op same = *op;
        if (is_chance(op))
            continue;
        same.payload = 0;
        if (op->kind == OP_CRASH)
            same.size = same.items = 0; /* how deep the stack is of one that hangs is chance */
        sum = hash_bytes(sum, &same, sizeof same);
        if (op->kind != OP_CRASH)
            sum = hash_op_tail(sum, op);
    }
    return sum;
}

uint64_t segment_sum(const struct segment *segment)
{
    struct segment_size size = segment_size(segment);
    return hash_bytes(segment_shape(segment), segment->contents, size.contents * sizeof *segment->contents);
}

void segment_keep(struct kept_segment *kept, struct segment *segment)
{
    struct segment_size size = segment_size(segment);
    vec_clear(&kept->ops);
    vec_clear(&kept->contents);
    vec_reserve(&kept->ops, size.ops + 1);
    vec_reserve(&kept->contents, size.contents + 1);
    if (size.ops)
        memcpy(kept->ops.at, segment->ops, size.ops);
    if (size.contents)
        memcpy(kept->contents.at, segment->contents, size.contents * sizeof *segment->contents);
    segment->ops = (const struct op *)kept->ops.at;
    segment->contents = kept->contents.at;
}

void kept_segment_release(struct kept_segment *kept)
{
    vec_release(&kept->ops);
    vec_release(&kept->contents);
}
