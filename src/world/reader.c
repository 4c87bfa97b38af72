#include "world/reader.h"

#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "call/dynamic.h"
#include "call/sound.h"
#include "call/touch.h"

static void wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

bool reader_has_news(const struct memory *memory, int channel, uint64_t taken)
{
    return atomic_load_explicit(&memory_channel(memory, channel)->posted, memory_order_acquire) != taken;
}

/* What its slices say they are must lie in the payload. */
static bool slices_fit(const struct op *op)
{
    const struct op_coll *coll = op_tail(op);
    const struct op_slice *slice = op_coll_slices(coll);
    uint64_t left = op->bytes;
    for (uint32_t i = 0; i < coll->slices; left -= slice[i++].bytes)
        if (slice[i].bytes > left)
            return false;
    return true;
}

/* In the arena or behind the description, whole. */
static bool payload_is_there(const struct memory *memory, const struct op *op)
{
    bool lists = op_completes(op);
    size_t described = op->kind == OP_COLL ? op_coll_size(op_tail(op)) : 0;
    uint64_t bytes = lists ? op->items * sizeof(uint32_t) : op->bytes;
    if (op->kind != OP_SEND && op->kind != OP_COLL && !lists)
        return true;
    if (op->kind == OP_COLL && !slices_fit(op))
        return false;
    if (!op->payload)
        return bytes <= op_tail_size(op) - described;
    return op->payload % 8 == 0 && op->payload < memory->top && bytes <= memory->top - op->payload;
}

/* Only a birth's payload is looked at: whether those of other kinds are there at all is not known. */
static bool birth_is_whole(const struct memory *memory, const struct op *op)
{
    const struct wire_head *head = memory->head;
    if (!op_is_birth(op))
        return true;
    const void *birth = op->payload ? arena_at(memory, op->payload) : op_tail(op);
    return op->peer >= head->first_ranks && op->peer < dynamic_registry(head->ranks) && birth_is_sound(birth, op->bytes, head->ranks);
}

/* Room in the ring that nobody uses, since an operation does not go round its end. */
static bool pads_well(const struct op *op, size_t room)
{
    return op->size >= sizeof(uint64_t) && op->size % 8 == 0 && op->size <= room;
}

static bool list_is_whole(const struct op *op, size_t room, size_t item)
{
    return room >= sizeof *op && op->size >= sizeof *op && pads_well(op, room) && op->items <= op_tail_size(op) / item;
}

static bool is_intact_op(const struct memory *memory, const struct op *op, size_t room)
{
    if (op->kind == OP_NONE)
        return pads_well(op, room);
    if (op->kind == WIRE_STACK)
        return list_is_whole(op, room, sizeof(uint64_t));
    if (op->kind == WIRE_TOUCHES)
        return list_is_whole(op, room, sizeof(struct window_touch));
    return op_is_sound(op, room, memory->head->ranks) && payload_is_there(memory, op) && birth_is_whole(memory, op);
}

/* A rank that tells of more has written over memory that is not its own. */
static void note_touches(struct told_before *before, const struct op *op)
{
    if (before->touch_records < TOUCH_RECORDS)
        before->touches[before->touch_records++] = op;
}

/* What is skipped stays in the ring until the operation is taken. */
const struct op *reader_peek(const struct memory *memory, int channel, uint64_t *taken, struct told_before *before)
{
    struct wire_channel *c = memory_channel(memory, channel);
    while (reader_has_news(memory, channel, *taken)) {
        const struct op *op = (const struct op *)(c->ring + *taken % WIRE_RING);
        uint64_t posted = atomic_load(&c->posted) - *taken, behind = WIRE_RING - *taken % WIRE_RING;
        if (!is_intact_op(memory, op, posted < behind ? posted : behind))
            die("a rank, process %d, has written over the memory that it shares with tourney: is there a stray pointer "
                "in the program?", atomic_load(&c->claim.pid));
        if (op->kind == WIRE_STACK && before)
            before->stack = op;
        else if (op->kind == WIRE_TOUCHES && before)
            note_touches(before, op);
        else if (op->kind != OP_NONE && op->kind != WIRE_STACK && op->kind != WIRE_TOUCHES)
            return op;
        *taken += op->size;
    }
    return NULL;
}

/* It lies in the ring, where nobody else looks at it any more. */
bool reader_is_too_late(const struct op *op)
{
    bool too_late = op->flags & OPF_TOO_LATE;
    if (too_late)
        ((struct op *)op)->flags &= ~(uint32_t)OPF_TOO_LATE;
    return too_late;
}

/* One that sleeps since its ring was full is not woken for each record, or the two would take turns; half a ring has room for any. */
void reader_take(const struct memory *memory, int channel, uint64_t *taken)
{
    struct wire_channel *c = memory_channel(memory, channel);
    *taken += ((const struct op *)(c->ring + *taken % WIRE_RING))->size;
    atomic_store(&c->taken, *taken);
    if (atomic_load(&c->full) && atomic_load(&c->posted) - *taken <= WIRE_RING / 2) {
        atomic_store(&c->full, 0);
        wake(&c->full);
    }
}

static void write_answer(const struct memory *memory, struct wire_channel *c, struct answer answer,
                         const void *completions, size_t bytes)
{
    c->answer = answer;
    if (bytes)
        memcpy(answer.payload ? arena_at(memory, answer.payload) : (void *)(&c->answer + 1), completions, bytes);
}

/* It sleeps where it listens for others, if it does; who is called is awake, or will be. */
static void wake_sleeper(struct wire_channel *c)
{
    uint32_t listens = atomic_load(&c->listens);
    if (listens >= WIRE_LISTENS_FOR_ALL && atomic_compare_exchange_strong(&c->listens, &listens, WIRE_LISTENS_NOT))
        wake(&c->listens);
    else
        wake(&c->turn);
}

/* A rank that goes on does not look at what is written there for a turn that is over. */
bool reader_offer_answer(const struct memory *memory, int channel, uint32_t turn, struct answer answer,
                         const void *completions, size_t bytes)
{
    struct wire_channel *c = memory_channel(memory, channel);
    uint32_t now = turn;
    if (atomic_load(&c->turn) != turn)
        return false;
    write_answer(memory, c, answer, completions, bytes);
    if (!atomic_compare_exchange_strong(&c->turn, &now, turn + 1))
        return false;
    if (atomic_load(&c->rests) == turn + 1)
        wake_sleeper(c);
    return true;
}

void reader_answer(const struct memory *memory, int channel, struct answer answer, const void *completions,
                   size_t bytes)
{
    struct wire_channel *c = memory_channel(memory, channel);
    write_answer(memory, c, answer, completions, bytes);
    atomic_fetch_add_explicit(&c->turn, 1, memory_order_release);
    wake(&c->turn);
}

const struct wire_sleep *reader_sleep(const struct memory *memory, int channel)
{
    enum { PATIENCE = 10 }; /* seconds */
    struct wire_channel *c = memory_channel(memory, channel);
    time_t start = time(NULL);
    while (atomic_load(&c->rests) != atomic_load(&c->turn) + 1) {
        if (time(NULL) - start > PATIENCE)
            return NULL;
        sched_yield(); /* nobody wakes us up for it: it may be the same core that it needs */
    }
    return &c->sleep;
}
