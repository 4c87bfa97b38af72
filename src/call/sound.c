#include "call/sound.h"

#include "call/calls.h"
#include "call/dynamic.h"
#include "call/file_use.h"
#include "call/window.h"

static bool is_rank(rank_t rank, int ranks)
{
    return rank >= 0 && rank < ranks;
}

/* Positions can be told only by somebody who knows the communicator. */
static bool coll_is_sound(const struct op *op)
{
    const struct op_coll *coll = op_tail(op);
    size_t room = op_tail_size(op);
    return room >= sizeof *coll && op_coll_size(coll) <= room;
}

static bool group_is_sound(const struct op *op, int ranks)
{
    const struct op_group *group = op_tail(op);
    size_t room = op_tail_size(op);
    if (room < sizeof *group || group->members > (room - sizeof *group) / sizeof *group->member ||
        group->members == 0 || group->first_group > group->members)
        return false;
    for (uint32_t i = 0; i < group->members; i++)
        if (!is_rank(group->member[i], ranks))
            return false;
    return true;
}

static bool threads_are_sound(const struct op *op)
{
    uint32_t n;
    const struct op_thread *thread = op_threads(op, &n);
    for (uint32_t i = 0; i < n; i++)
        if (thread[i].thread > UINT8_MAX || thread[i].wait > THREAD_ON_ANOTHER || thread[i].other < -1 || thread[i].other > UINT8_MAX)
            return false;
    return true;
}

static bool list_is_sound(const struct op *op)
{
    const uint32_t *number = op_tail(op);
    if (op->payload) /* it is elsewhere */
        return op->items < OP_MOST_REQUESTS;
    if (op->items > op_tail_size(op) / sizeof *number)
        return false;
    for (uint32_t i = 0; i < op->items; i++)
        if (number[i] >= OP_MOST_REQUESTS)
            return false;
    return threads_are_sound(op);
}

/* Who a message may come from or go to: ranks, and on their context the keepers of windows. */
static bool is_peer(const struct op *op, rank_t peer, int ranks)
{
    return is_rank(peer, op->context == KEEPER_CONTEXT ? window_players(ranks, WINDOW_SLOTS) : ranks);
}

static bool send_is_sound(const struct op *op, int ranks)
{
    return is_peer(op, op->peer, ranks) && op->tag >= 0 && (!(op->flags & OPF_AFTER) || is_peer(op, op->after, ranks)) &&
           (!(op->flags & OPF_ATTACHED) || op->buffer < OP_MOST_BUFFERS) &&
           (!op_is_birth(op) || (op->count > 0 && op->count <= ranks));
}

static bool is_slot(const struct op *op)
{
    return op->slot >= 0 && op->slot < WINDOW_SLOTS;
}

static bool use_is_sound(const struct op *op, int ranks)
{
    const struct window_use *use = op_tail(op);
    size_t room = op_tail_size(op);
    return is_rank(op->peer, ranks) && is_slot(op) && room >= sizeof *use &&
           use->pieces <= (room - sizeof *use) / sizeof(struct window_piece);
}

static bool file_use_is_sound(const struct op *op)
{
    const struct file_use *use = op_tail(op);
    size_t room = op_tail_size(op);
    return room >= sizeof *use && use->pieces <= (room - sizeof *use) / sizeof(struct window_piece);
}

static bool hearsay_is_sound(const struct op *op, int ranks)
{
    const struct window_hearsay *heard = op_tail(op);
    if (op->bytes > op_tail_size(op))
        return false;
    for (size_t i = 0; i < op->bytes / sizeof *heard; i++)
        if (!is_rank(heard[i].rank, ranks))
            return false;
    return true;
}

static bool done_accesses_are_sound(const struct op *op, int ranks)
{
    const struct window_done *done = op_tail(op);
    size_t room = op_tail_size(op);
    return is_rank(op->peer, ranks) && room >= sizeof *done && done->pieces <= (room - sizeof *done) / sizeof(struct window_piece);
}

static bool event_is_sound(const struct op *op, int ranks)
{
    bool opens = op->event == WINDOW_OPENED;
    return (op->peer == RANK_ANY || is_rank(op->peer, ranks)) && is_slot(op) &&
           (!opens || op_tail_size(op) >= sizeof(struct window_extent)) && op->event <= WINDOW_DONE &&
           (op->event != WINDOW_DONE || done_accesses_are_sound(op, ranks)) &&
           (!window_event_learns(op->event) || hearsay_is_sound(op, ranks));
}

bool op_is_sound(const struct op *op, size_t room, int ranks)
{
    if (room < sizeof *op || op->size < sizeof *op || op->size > room || op->size % 8 || op->call >= CALL_COUNT ||
        op->request >= OP_MOST_REQUESTS)
        return false;
    switch ((enum op_kind)op->kind) {
    case OP_SEND:
        return send_is_sound(op, ranks);
    case OP_RECV:
    case OP_PROBE:
    case OP_IPROBE:
        return (op->peer == RANK_ANY || is_peer(op, op->peer, ranks)) && (op->tag == TAG_ANY || op->tag >= 0);
    case OP_COLL:
        return coll_is_sound(op);
    case OP_CONTEXT:
        return group_is_sound(op, ranks);
    case OP_WAIT:
    case OP_TEST:
        return list_is_sound(op);
    OP_CASES(OP_CHOICES)
        return op->items > 0 && op->items <= OP_MOST_ALTERNATIVES;
    case OP_CRASH:
        return op->items <= op_tail_size(op) / sizeof(uint64_t);
    case OP_TENURE:
        return is_peer(op, op->peer, ranks);
    case OP_ACCESS:
        return use_is_sound(op, ranks);
    case OP_WINDOW:
        return event_is_sound(op, ranks);
    case OP_FILE_ACCESS:
        return file_use_is_sound(op);
    case OP_FILE:
        return op->event >= FILE_OPENED && op->event <= FILE_CLOSED;
    case OP_ATTACHED:
        return op->buffer < OP_MOST_BUFFERS;
    case OP_CONTEXT_LEFT:
    case OP_ABORT:
    case OP_ERROR:
    case OP_REFUSED:
    OP_CASES(OP_LIFE)
    OP_CASES(OP_PLAIN_REMARKS)
    OP_CASES(OP_ON_REQUESTS)
    OP_CASES(OP_SERVICES)
        return true;
    }
    return false; /* of no kind */
}
