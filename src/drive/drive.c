#include "drive/drive.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/die.h"
#include "base/mem.h"
#include "world/herd.h"
#include "world/signals.h"
#include "world/stack.h"

enum { HERD_KEPT = 100 }; /* processes asleep at one time; beyond that the least recently used go */

struct place {
    rank_t rank;
    node_id parent;
    int animal;             /* asleep here; -1: none */
    uint64_t used;          /* when it was last gone on from */
    bool asked_before;      /* an answer to it was asked for already */
    bool open;              /* its call can be answered in different ways */
    struct answer answer;   /* what led here from the parent, */
    VEC(char) completions;  /* with its completions */
    uint64_t sum;           /* of the segment, to compare */
    VEC(uint32_t) wild;     /* requests: receives from any source that are not complete */
};

struct drive {
    struct herd herd;
    VEC(struct place) place;   /* by node */
    node_id at[HERD_MAX];      /* which node an animal sleeps at */
    uint64_t clock;
    struct drive_cost cost;
    VEC(char) ops;             /* the segment being read */
    VEC(uint64_t) contents;
    uint32_t count;
    VEC(node_id) path;
};

/* ---- segments ---- */

static uint64_t hash(uint64_t sum, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (; size >= 8; size -= 8, byte += 8) {
        uint64_t word;
        memcpy(&word, byte, 8);
        sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    uint64_t rest = size;
    for (size_t i = 0; i < size; i++)
        rest = rest << 8 | byte[i];
    sum = (sum ^ rest) * UINT64_C(0xd6e8feb86659fd93);
    return sum ^ sum >> 29;
}

static bool wants_answer(const struct op *op)
{
    if (op->flags & OPF_WENT_ON)
        return false;
    switch (op->kind) {
    case OP_SEND:
    case OP_RECV:
    case OP_COLL:
        return op->flags & OPF_BLOCKING;
    case OP_WAIT:
    case OP_TEST:
    case OP_PROBE:
    case OP_IPROBE:
        return true;
    default:
        return false;
    }
}

/* How much of the tail stays with the operation: not the payload, which is kept in the arena. */
static size_t lasting_tail(const struct op *op)
{
    if (op->kind == OP_SEND)
        return 0;
    if (op->kind != OP_COLL)
        return op_tail_size(op);
    const struct op_coll *coll = op_tail(op);
    return (const char *)(op_coll_slices(coll) + coll->slices) - (const char *)coll;
}

static uint64_t keep_payload(struct drive *drive, const struct op *op, size_t tail)
{
    struct memory *memory = &drive->herd.memory;
    if (op->payload || op->bytes == 0)
        return op->payload;
    uint64_t at = arena_take(memory, op->bytes);
    memcpy(arena_at(memory, at), (const char *)op_tail(op) + tail, op->bytes);
    return at;
}

static void add_contents(struct drive *drive, const struct op *op)
{
    const char *payload = arena_at(&drive->herd.memory, op->payload);
    if (op->kind == OP_SEND) {
        vec_push(&drive->contents, hash(0, payload, op->bytes));
        return;
    }
    const struct op_coll *coll = op_tail(op);
    const struct op_slice *slice = op_coll_slices(coll);
    for (uint32_t i = 0; i < coll->slices; payload += slice[i++].bytes)
        vec_push(&drive->contents, hash(0, payload, slice[i].bytes));
}

/* Appends an operation to the segment: its list in the tail, its payload in the arena. */
static const struct op *append(struct drive *drive, const struct op *op)
{
    struct memory *memory = &drive->herd.memory;
    bool brings = op->kind == OP_SEND || op->kind == OP_COLL;
    bool lists = (op->kind == OP_WAIT || op->kind == OP_TEST) && op->payload;
    size_t tail = lists ? op->items * sizeof(uint32_t) : lasting_tail(op);
    size_t size = op_round(sizeof *op + tail), start = drive->ops.n;
    vec_reserve(&drive->ops, size);
    struct op *kept = (struct op *)(drive->ops.at + start);
    memset(kept, 0, size);
    *kept = *op;
    kept->size = size;
    if (tail)
        memcpy(kept + 1, lists ? arena_at(memory, op->payload) : op_tail(op), tail);
    if (lists) {
        arena_give(memory, op->payload, tail);
        kept->payload = 0;
    }
    if (brings) {
        kept->payload = keep_payload(drive, op, tail);
        add_contents(drive, kept);
    }
    drive->ops.n += size;
    drive->count++;
    return kept;
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

/* Stops it, too. */
static void append_stack(struct drive *drive, int animal)
{
    struct {
        struct op op;
        uint64_t address[STACK_DEPTH];
    } hang = {.op = {.kind = OP_CRASH}};
    hang.op.items = stack_take(herd_process(&drive->herd, animal), hang.address);
    hang.op.size = sizeof hang.op + hang.op.items * sizeof *hang.address;
    append(drive, &hang.op);
}

static enum segment_end how_it_ended(struct drive *drive, int animal, int *code)
{
    if (drive->herd.animal[animal].hangs) {
        append_stack(drive, animal);
        *code = drive->herd.options.hang_timeout;
        return SEGMENT_HUNG;
    }
    int status = drive->herd.animal[animal].status;
    *code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    return WIFSIGNALED(status) ? SEGMENT_CRASH : SEGMENT_EXIT;
}

/* Reads what the running animal does until it sleeps or ends. */
static enum segment_end read_segment(struct drive *drive, int animal, struct place *place, int *code)
{
    vec_clear(&drive->ops);
    vec_clear(&drive->contents);
    drive->count = 0;
    *code = 0;
    for (;;) {
        const struct op *posted = herd_next(&drive->herd, animal);
        if (!posted)
            return how_it_ended(drive, animal, code);
        if (posted->kind == OP_ROOM) {
            uint64_t room = arena_take(&drive->herd.memory, posted->bytes);
            herd_take(&drive->herd, animal);
            herd_answer(&drive->herd, animal, (struct answer){.kind = ANSWER_ROOM, .payload = room}, NULL, 0);
            continue;
        }
        const struct op *op = append(drive, posted);
        herd_take(&drive->herd, animal);
        note_wild(place, op);
        if (wants_answer(op)) {
            place->open = is_open(place, op);
            return SEGMENT_CALL;
        }
        *code = op->tag;
        switch (op->kind) {
        case OP_ABORT:
            return SEGMENT_ABORT;
        case OP_ERROR:
            return SEGMENT_ERROR;
        case OP_REFUSED:
            return SEGMENT_REFUSED;
        case OP_CRASH:
            return SEGMENT_CRASH;
        default:
            break;
        }
    }
}

/* What must be the same when it is run again: everything but where payloads lie. */
static uint64_t segment_sum(struct drive *drive, enum segment_end end)
{
    uint64_t sum = hash(end, drive->contents.at, drive->contents.n * sizeof *drive->contents.at);
    for (size_t at = 0; at < drive->ops.n;) {
        const struct op *op = (const struct op *)(drive->ops.at + at);
        struct op same = *op;
        same.payload = 0;
        sum = hash(sum, &same, sizeof same);
        if (op->kind != OP_CRASH)
            sum = hash(sum, op_tail(op), op_tail_size(op));
        at += op->size;
    }
    return sum;
}

/* A segment that was only run to get somewhere brings nothing new. */
static void drop_payloads(struct drive *drive)
{
    for (size_t at = 0; at < drive->ops.n;) {
        const struct op *op = (const struct op *)(drive->ops.at + at);
        if ((op->kind == OP_SEND || op->kind == OP_COLL) && op->payload)
            arena_give(&drive->herd.memory, op->payload, op->bytes);
        at += op->size;
    }
}

/* ---- answers ---- */

static void put(struct place *place, const void *data, size_t size)
{
    vec_reserve(&place->completions, size);
    memcpy(place->completions.at + place->completions.n, data, size);
    place->completions.n += size;
}

static struct piece piece_of(const struct answer_piece *from)
{
    struct piece piece = {.from = from->from};
    if (from->slice == NO_SLICE)
        return piece;
    const struct op_slice *slice = op_coll_slices(op_tail(from->part));
    piece.payload = from->part->payload;
    for (uint32_t i = 0; i < from->slice; i++)
        piece.payload += slice[i].bytes;
    piece.bytes = slice[from->slice].bytes;
    return piece;
}

static void put_item(struct place *place, const struct ret *ret, const struct answer_item *item)
{
    struct completion c = {.request = item->request,
                           .source = item->source,
                           .flags = item->flags & ANSWERED_CANCELLED ? COMPLETION_CANCELLED : 0,
                           .pieces = item->pieces};
    if (item->message) {
        c.tag = item->message->tag;
        c.bytes = item->message->bytes;
        c.payload = item->flags & ANSWERED_SEEN ? 0 : item->message->payload;
    }
    put(place, &c, sizeof c);
    for (uint32_t i = 0; i < item->pieces; i++) {
        struct piece piece = piece_of(&ret->piece[item->first_piece + i]);
        put(place, &piece, sizeof piece);
    }
}

static void make_answer(struct drive *drive, struct place *place, const struct ret *ret)
{
    place->answer = (struct answer){.kind = ANSWER_GO, .flag = ret->flag, .completions = ret->items};
    for (uint32_t i = 0; i < ret->items; i++)
        put_item(place, ret, &ret->item[i]);
    if (sizeof place->answer + place->completions.n > WIRE_ANSWER)
        place->answer.payload = arena_take(&drive->herd.memory, place->completions.n);
}

static void forget_completed(struct place *place, const struct ret *ret)
{
    for (uint32_t i = 0; i < ret->items; i++)
        for (size_t k = 0; k < place->wild.n; k++)
            if (place->wild.at[k] == ret->item[i].request) {
                place->wild.at[k] = vec_last(&place->wild);
                place->wild.n--;
                break;
            }
}

/* ---- processes ---- */

static void settle(struct drive *drive, int animal, node_id node)
{
    drive->place.at[node].animal = animal;
    drive->place.at[node].used = ++drive->clock;
    drive->at[animal] = node;
}

static void let_go(struct drive *drive, int animal)
{
    if (drive->at[animal])
        drive->place.at[drive->at[animal]].animal = -1;
    drive->at[animal] = NODE_NONE;
    herd_kill(&drive->herd, animal);
}

/* The first node of a rank is kept: everything can be reached from there. */
static void make_room(struct drive *drive)
{
    while (drive->herd.alive >= HERD_KEPT) {
        int oldest = -1;
        for (int i = 0; i < HERD_MAX; i++) {
            node_id node = drive->at[i];
            if (!node || drive->place.at[node].parent == NODE_NONE)
                continue;
            if (oldest < 0 || drive->place.at[node].used < drive->place.at[drive->at[oldest]].used)
                oldest = i;
        }
        if (oldest < 0)
            return;
        let_go(drive, oldest);
    }
}

static int start(struct drive *drive, rank_t rank)
{
    make_room(drive);
    drive->cost.starts++;
    int animal = herd_start(&drive->herd, rank);
    drive->at[animal] = NODE_NONE;
    return animal;
}

/* Takes the animal that sleeps at a node away, or a copy of it. */
static int depart(struct drive *drive, node_id node, bool stay)
{
    int original = drive->place.at[node].animal, animal = -1;
    drive->place.at[node].used = ++drive->clock;
    if (stay) {
        make_room(drive);
        animal = herd_copy(&drive->herd, original);
    }
    if (animal < 0) {
        drive->place.at[node].animal = -1;
        animal = original;
    } else {
        drive->cost.copies++;
    }
    drive->at[animal] = NODE_NONE;
    return animal;
}

static void send_answer(struct drive *drive, int animal, node_id node)
{
    const struct place *place = &drive->place.at[node];
    herd_answer(&drive->herd, animal, place->answer, place->completions.at, place->completions.n);
}

/* Runs to a known node once more; false: it does something else now. */
static bool run_again(struct drive *drive, int animal, node_id node)
{
    struct place scratch = {0};
    int code;
    drive->cost.again++;
    if (drive->place.at[node].parent != NODE_NONE)
        send_answer(drive, animal, node);
    enum segment_end end = read_segment(drive, animal, &scratch, &code);
    bool same = end == SEGMENT_CALL && segment_sum(drive, end) == drive->place.at[node].sum;
    drop_payloads(drive);
    vec_release(&scratch.wild);
    return same;
}

/* Sees to it that somebody sleeps at the node; false: the program diverged on the way. */
static bool reach(struct drive *drive, node_id node)
{
    vec_clear(&drive->path);
    node_id above = node;
    for (; above && drive->place.at[above].animal < 0; above = drive->place.at[above].parent)
        vec_push(&drive->path, above);
    if (drive->path.n == 0)
        return true;
    int animal = above ? depart(drive, above, true) : start(drive, drive->place.at[node].rank);
    while (drive->path.n) {
        node_id next = vec_pop(&drive->path);
        if (!run_again(drive, animal, next)) {
            herd_kill(&drive->herd, animal);
            return false;
        }
        bool first = drive->place.at[next].parent == NODE_NONE;
        if (first && drive->path.n) {
            settle(drive, animal, next);
            animal = depart(drive, next, true);
        }
    }
    settle(drive, animal, node);
    return true;
}

/* ---- the runner ---- */

static struct place *new_place(struct drive *drive, rank_t rank, node_id from, node_id to)
{
    while (drive->place.n <= to)
        vec_push(&drive->place, (struct place){.animal = -1});
    struct place *place = &drive->place.at[to];
    *place = (struct place){.rank = rank, .parent = from, .animal = -1};
    if (from)
        vec_copy(&place->wild, &drive->place.at[from].wild);
    return place;
}

static int run(void *data, rank_t rank, node_id from, const struct ret *ret, node_id to, struct segment *segment)
{
    struct drive *drive = data;
    struct place *place = new_place(drive, rank, from, to);
    int animal;
    *segment = (struct segment){.end = SEGMENT_DIVERGED};
    if (from == NODE_NONE) {
        animal = start(drive, rank);
    } else {
        make_answer(drive, place, ret);
        forget_completed(place, ret);
        if (!reach(drive, from))
            return herd_is_over(&drive->herd) ? -1 : 0;
        place = &drive->place.at[to];
        struct place *here = &drive->place.at[from];
        animal = depart(drive, from, here->open || here->asked_before || here->parent == NODE_NONE);
        here->asked_before = true;
        send_answer(drive, animal, to);
    }
    segment->end = read_segment(drive, animal, place, &segment->code);
    if (herd_is_over(&drive->herd))
        return -1;
    place = &drive->place.at[to];
    place->sum = segment_sum(drive, segment->end);
    segment->ops = (const struct op *)drive->ops.at;
    segment->count = drive->count;
    segment->contents = drive->contents.at;
    /* Reports look up addresses in processes: one that came to grief at the beginning may be the only one. */
    if (segment->end == SEGMENT_CALL || (from == NODE_NONE && !drive->herd.animal[animal].gone))
        settle(drive, animal, to);
    else
        herd_kill(&drive->herd, animal);
    return 0;
}

struct drive *drive_new(const struct world_options *options)
{
    struct drive *drive = xcalloc(1, sizeof *drive);
    herd_open(&drive->herd, options);
    return drive;
}

void drive_free(struct drive *drive)
{
    herd_close(&drive->herd);
    for (size_t i = 0; i < drive->place.n; i++) {
        vec_release(&drive->place.at[i].completions);
        vec_release(&drive->place.at[i].wild);
    }
    vec_release(&drive->place);
    vec_release(&drive->ops);
    vec_release(&drive->contents);
    vec_release(&drive->path);
    free(drive);
}

struct runner drive_runner(struct drive *drive)
{
    return (struct runner){.run = run, .data = drive};
}

pid_t drive_process(struct drive *drive, node_id node)
{
    if (!node || !reach(drive, node))
        return 0;
    return herd_process(&drive->herd, drive->place.at[node].animal);
}

int drive_signal(void)
{
    return signals_stop();
}

struct drive_cost drive_cost(const struct drive *drive)
{
    return drive->cost;
}
