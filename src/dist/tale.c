#include "dist/tale.h"

#include <string.h>
#include <sys/wait.h>

#include "call/calls.h"
#include "call/sound.h"

/* ---- places ---- */

struct reader {
    struct tale *tale;
    struct modules *modules;
    const struct causal_head *head;
    VEC(const struct causal_module *) loaded;
    int ranks;
    uint32_t highest; /* number of a request so far */
    bool ended;       /* CAUSAL_END was met: */
    struct causal_end end;
};

static uint64_t place_of(struct reader *reader, uint64_t address)
{
    for (size_t i = reader->loaded.n; i-- > 0;) {
        const struct causal_module *module = reader->loaded.at[i];
        if (address >= module->start && address < module->end)
            return module_place(reader->modules, module->path, address - module->shift);
    }
    return address; /* of no file; machines that are alike have it in the same place */
}

static void settle_stack(struct reader *reader, struct op *op)
{
    uint64_t *address = (uint64_t *)(op + 1);
    for (uint32_t i = 0; i < op->items; i++)
        address[i] = place_of(reader, address[i]);
}

/* ---- operations ---- */

static struct op *add_op(struct tale *tale, size_t size)
{
    struct tale_op entry = {.at = tale->bytes.n};
    vec_reserve(&tale->bytes, size);
    memset(tale->bytes.at + tale->bytes.n, 0, size);
    tale->bytes.n += size;
    vec_push(&tale->op, entry);
    return (struct op *)(tale->bytes.at + entry.at);
}

/*
 * A collective with what the member brings: to the search, one slice for everybody, by which those
 * who hear of it know from which history it came.
 */
static void add_coll(struct tale *tale, const struct op *op)
{
    const struct op_coll *told = op_tail(op);
    struct op_coll coll = {.from = told->from, .until = told->until, .listed = told->listed, .slices = 1};
    size_t list = op_round(coll.listed * sizeof(uint32_t));
    struct op *kept = add_op(tale, sizeof *op + sizeof coll + list + sizeof(struct op_slice));
    *kept = *op;
    kept->size = (uint32_t)(sizeof *op + sizeof coll + list + sizeof(struct op_slice));
    kept->flags &= ~(uint32_t)OPF_ORDERED;
    memcpy(kept + 1, &coll, sizeof coll);
    memcpy((struct op_coll *)(kept + 1) + 1, op_coll_list(told), coll.listed * sizeof(uint32_t));
    struct op_slice *slice = (struct op_slice *)op_coll_slices((struct op_coll *)(kept + 1));
    *slice = (struct op_slice){.to = SLICE_FOR_ALL};
}

static void add_plain(struct tale *tale, const struct op *op)
{
    size_t tail = op->kind == OP_SEND ? 0 : op_tail_size(op);
    struct op *kept = add_op(tale, op_round(sizeof *op + tail));
    *kept = *op;
    kept->size = (uint32_t)op_round(sizeof *op + tail);
    memcpy(kept + 1, op_tail(op), tail);
}

static void take_op(struct reader *reader, const struct causal_op *record)
{
    struct tale *tale = reader->tale;
    const struct op *op = &record->op;
    if (op->kind == OP_COLL)
        add_coll(tale, op);
    else
        add_plain(tale, op);
    struct op *kept = (struct op *)(tale->bytes.at + vec_last(&tale->op).at);
    kept->place = place_of(reader, op->place);
    kept->payload = 0;
    if (kept->kind == OP_CRASH)
        settle_stack(reader, kept);
    /* To the search, what a blocking call waits for is a request, too. */
    if (kept->request == 0 && kept->flags & OPF_BLOCKING && op_wants_answer(kept))
        kept->request = reader->highest + 1;
    if (kept->request > reader->highest)
        reader->highest = kept->request;
}

/* ---- what calls have returned ---- */

static void take_done(struct reader *reader, const struct causal_done *done)
{
    struct tale *tale = reader->tale;
    struct tale_op *call = &tale->op.at[done->by];
    if (call->items == 0)
        call->first_item = tale->item.n;
    call->items++;
    vec_push(&tale->item, (struct tale_item){.op = done->op,
                                               .source = done->source,
                                               .tag = done->tag,
                                               .bytes = done->bytes,
                                               .cancelled = done->flags & CAUSAL_WAS_CANCELLED,
                                               .named = done->flags & CAUSAL_HAS_SENDER,
                                               .sender_op = done->flags & CAUSAL_HAS_SENDER ? done->sender_op : 0});
}

static void take_choice(struct reader *reader, const struct causal_choice *choice)
{
    struct tale *tale = reader->tale;
    struct tale_op *call = &tale->op.at[choice->op];
    call->chosen = true;
    call->kind = choice->kind;
    call->value = choice->value;
    call->noes = choice->polls;
    call->turned = choice->kind == CHOICE_NO;
    call->first_index = tale->index.n;
    call->indexes = choice->kind == CHOICE_SET ? choice->items : 0;
    for (size_t i = 0; i < call->indexes; i++)
        vec_push(&tale->index, choice->item[i]);
    tale->choices += choice->kind == CHOICE_SOURCE;
}

/* To be looked at without fear: lists of requests lie in the record, as all else does. */
static bool op_record_is_sound(const struct causal_op *record, int ranks)
{
    const struct op *op = &record->op;
    bool lists = op->kind == OP_WAIT || op->kind == OP_TEST;
    return op_is_sound(op, record->record.size - offsetof(struct causal_op, op), ranks) && !(lists && op->payload);
}

/* Items of one call lie together: it tells of all before the rank does anything else. */
static bool done_is_sound(const struct tale *tale, const struct causal_done *done)
{
    const struct tale_op *call = done->by < tale->op.n ? &tale->op.at[done->by] : NULL;
    return call && (!call->items || call->first_item + call->items == tale->item.n) &&
           (!(done->flags & CAUSAL_HAS_SENDER) || done->record.size >= sizeof *done);
}

static bool choice_is_sound(const struct tale *tale, const struct causal_choice *choice)
{
    return choice->op < tale->op.n && choice->kind <= CHOICE_NO &&
           choice->items <= (choice->record.size - sizeof *choice) / sizeof *choice->item;
}

/* A file can be damaged on its way, and by the program. */
static bool is_sound(const struct reader *reader, const struct causal_record *record)
{
    static const size_t least[] = {
        [CAUSAL_NONE] = SIZE_MAX,
        [CAUSAL_OP] = sizeof(struct causal_op),
        [CAUSAL_KNOWS] = sizeof(struct causal_knows),
        [CAUSAL_DONE] = offsetof(struct causal_done, sender_op),
        [CAUSAL_CHOICE] = sizeof(struct causal_choice),
        [CAUSAL_LATE] = sizeof(struct causal_late),
        [CAUSAL_DISPUTE] = sizeof(struct causal_dispute),
        [CAUSAL_DIVERGED] = sizeof(struct causal_diverged),
        [CAUSAL_UNSUPPORTED] = sizeof(struct causal_unsupported),
        [CAUSAL_MODULE] = sizeof(struct causal_module),
        [CAUSAL_END] = sizeof(struct causal_end),
        [CAUSAL_UNCERTAIN] = sizeof(struct causal_record),
        [CAUSAL_LATER] = sizeof(struct causal_later),
    };
    if (record->kind >= sizeof least / sizeof *least || record->size < least[record->kind])
        return false;
    switch ((enum causal_record_kind)record->kind) {
    case CAUSAL_OP:
        return op_record_is_sound((const struct causal_op *)record, reader->ranks);
    case CAUSAL_DONE:
        return done_is_sound(reader->tale, (const struct causal_done *)record);
    case CAUSAL_CHOICE:
        return choice_is_sound(reader->tale, (const struct causal_choice *)record);
    case CAUSAL_UNSUPPORTED:
        return ((const struct causal_unsupported *)record)->call < CALL_COUNT;
    case CAUSAL_MODULE:
        return memchr(((const struct causal_module *)record)->path, 0, record->size - sizeof(struct causal_module));
    default:
        return true;
    }
}

static void take_later(struct tale *tale, const struct causal_later *later)
{
    if (later->op < tale->later)
        tale->later = later->op;
}

static void take_record(struct reader *reader, const struct causal_record *record)
{
    switch ((enum causal_record_kind)record->kind) {
    case CAUSAL_OP:
        take_op(reader, (const struct causal_op *)record);
        break;
    case CAUSAL_DONE:
        take_done(reader, (const struct causal_done *)record);
        break;
    case CAUSAL_CHOICE:
        take_choice(reader, (const struct causal_choice *)record);
        break;
    case CAUSAL_LATE:
        reader->tale->late++;
        break;
    case CAUSAL_UNSUPPORTED:
        vec_push(&reader->tale->unsupported, ((const struct causal_unsupported *)record)->call);
        break;
    case CAUSAL_MODULE:
        vec_push(&reader->loaded, (const struct causal_module *)record);
        break;
    case CAUSAL_END:
        reader->ended = true;
        reader->end = *(const struct causal_end *)record;
        break;
    case CAUSAL_LATER:
        take_later(reader->tale, (const struct causal_later *)record);
        break;
    case CAUSAL_NONE:
    case CAUSAL_KNOWS:
    case CAUSAL_DISPUTE:
    case CAUSAL_UNCERTAIN:
    case CAUSAL_DIVERGED: /* seen from here, too: what was asked for is not there */
        break;
    }
}

/* What a call has to complete before it returns. */
static size_t expected_items(const struct op *op, const struct tale_op *call)
{
    if (op->kind != OP_WAIT && op->kind != OP_TEST)
        return 1;
    if (!(op->flags & (OPF_ANY | OPF_SOME)))
        return op->items;
    return call->indexes ? call->indexes : 1;
}

/* Whoever did something later has come back from the call; the last one has if it has completed all it waits for. */
static void settle_answers(struct reader *reader)
{
    struct tale *tale = reader->tale;
    for (size_t i = 0; i < tale->op.n; i++) {
        struct tale_op *call = &tale->op.at[i];
        bool last = i + 1 == tale->op.n;
        call->answered = !last || reader->ended || call->items >= expected_items(tale_op(tale, i), call);
    }
    const struct causal_now *now = &reader->head->now;
    if (tale->op.n && now->state == CAUSAL_POLLING && now->op + 1 == tale->op.n && !vec_last(&tale->op).chosen)
        vec_last(&tale->op).noes = now->polls;
    if (now->state == CAUSAL_POLLING && now->op + 1 == tale->op.n && now->round <= tale->op.n)
        tale->round = now->round;
}

/* ---- legs ---- */

static bool ends_rank(const struct op *op)
{
    return op->kind == OP_ABORT || op->kind == OP_ERROR || op->kind == OP_REFUSED || op->kind == OP_CRASH;
}

static enum segment_end end_by_op(const struct op *op)
{
    return op->kind == OP_ABORT     ? SEGMENT_ABORT
           : op->kind == OP_ERROR   ? SEGMENT_ERROR
           : op->kind == OP_REFUSED ? SEGMENT_REFUSED
                                    : SEGMENT_CRASH;
}

/*
 * What a rank does that is in MPI_Finalize when the job has to be ended for the sake of others, nobody can
 * know; it is taken to end well.
 */
static void add_last_leg(struct tale *tale, struct leg leg, struct tale_end end)
{
    leg.assumed = !end.ended && leg.count && tale_op(tale, leg_call(&leg))->kind == OP_FINALIZE;
    leg.whole = end.ended || leg.assumed;
    if (leg.assumed)
        end.status = 0;
    leg.end = end.ended && WIFSIGNALED(end.status) ? SEGMENT_CRASH : SEGMENT_EXIT;
    leg.code = WIFSIGNALED(end.status) ? WTERMSIG(end.status) : WEXITSTATUS(end.status);
    vec_push(&tale->leg, leg);
}

static void cut_into_legs(struct tale *tale, struct tale_end end)
{
    struct leg leg = {0};
    for (size_t i = 0; i < tale->op.n; i++) {
        const struct op *op = tale_op(tale, i);
        leg.count++;
        if (!op_wants_answer(op) && !ends_rank(op))
            continue;
        leg.whole = true;
        leg.end = op_wants_answer(op) ? SEGMENT_CALL : end_by_op(op);
        leg.code = op_wants_answer(op) ? 0 : op->tag;
        vec_push(&tale->leg, leg);
        if (ends_rank(op))
            return;
        leg = (struct leg){.first = i + 1};
    }
    if (leg.count || !tale->op.n || vec_last(&tale->op).answered)
        add_last_leg(tale, leg, end);
}

size_t tale_leg_of(const struct tale *tale, uint64_t op)
{
    size_t low = 0, high = tale->leg.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (tale->leg.at[middle].first + tale->leg.at[middle].count <= op)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void tale_nothing(struct tale *tale, struct tale_end end)
{
    *tale = (struct tale){.rank = RANK_NONE, .forced = RANK_ANY, .later = SIZE_MAX};
    if (end.ended)
        add_last_leg(tale, (struct leg){0}, end);
}

static enum tale_fault fault_of_head(const struct causal_head *head, uint64_t bytes, int ranks)
{
    static const char nothing[sizeof head->magic];
    if (bytes < CAUSAL_RECORDS || memcmp(head->magic, nothing, sizeof nothing) == 0)
        return TALE_IS_NONE;
    if (memcmp(head->magic, CAUSAL_MAGIC, sizeof head->magic) != 0 || head->version != CAUSAL_VERSION || head->rank < 0 ||
        head->rank >= head->size)
        return TALE_IS_DAMAGED;
    return head->size > ranks ? TALE_IS_OF_MORE : TALE_IS_GOOD;
}

enum tale_fault tale_read(struct tale *tale, const void *file, uint64_t bytes, int ranks, struct tale_end end,
                          struct modules *modules)
{
    const struct causal_head *head = file;
    struct reader reader = {.tale = tale, .modules = modules, .head = head, .ranks = ranks};
    *tale = (struct tale){.rank = RANK_NONE, .forced = RANK_ANY, .later = SIZE_MAX};
    enum tale_fault fault = fault_of_head(head, bytes, ranks);
    if (fault)
        return fault;
    tale->rank = head->rank;
    tale->forced = head->now.state == CAUSAL_BLOCKED && head->now.forced < ranks ? head->now.forced : RANK_ANY;
    const struct causal_record *record = NULL;
    while ((record = causal_next(head, bytes, record)) && is_sound(&reader, record))
        take_record(&reader, record);
    if (!record) {
        settle_answers(&reader);
        cut_into_legs(tale, end);
    } else {
        tale_release(tale);
    }
    vec_release(&reader.loaded);
    return record ? TALE_IS_DAMAGED : TALE_IS_GOOD;
}

void tale_release(struct tale *tale)
{
    vec_release(&tale->bytes);
    vec_release(&tale->op);
    vec_release(&tale->item);
    vec_release(&tale->index);
    vec_release(&tale->leg);
    vec_release(&tale->unsupported);
}
