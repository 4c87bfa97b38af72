#include "dist/tale.h"

#include <string.h>
#include <sys/wait.h>

#include "call/calls.h"
#include "call/sound.h"
#include "library/library.h"

/* ---- places ---- */

struct told_file {
    const struct causal_module *module;
    uint64_t place; /* of its beginning; 0: nobody has asked */
};

struct tale_reader {
    struct tale *tale;
    struct modules *modules;
    const struct causal_head *head;
    VEC(struct told_file) loaded;
    int ranks;
    uint32_t highest; /* number of a request so far */
    bool ended;       /* CAUSAL_END was met: */
    struct causal_end end;
};

static uint64_t told_place(struct tale_reader *reader, uint64_t address)
{
    for (size_t i = reader->loaded.n; i-- > 0;) {
        struct told_file *loaded = &reader->loaded.at[i];
        const struct causal_module *module = loaded->module;
        if (address < module->start || address >= module->end)
            continue;
        if (!loaded->place)
            loaded->place = module_place(reader->modules, module->path, 0);
        return module_place_in(loaded->place, address - module->shift);
    }
    return address; /* of no file; machines that are alike have it in the same place */
}

static void settle_stack(struct tale_reader *reader, struct op *op)
{
    uint64_t *address = (uint64_t *)(op + 1);
    for (uint32_t i = 0; i < op->items; i++)
        address[i] = told_place(reader, address[i]);
}

/* ---- operations ---- */

/* What is kept of an operation: of what a collective brings, one slice, and of a message nothing. */
static size_t kept_size(const struct op *op)
{
    const struct op_coll *coll = op_tail(op);
    if (op->kind == OP_COLL)
        return sizeof *op + sizeof *coll + op_round(coll->listed * sizeof(uint32_t)) + sizeof(struct op_slice);
    return op->kind == OP_SEND ? sizeof *op : op_round(op->size);
}

/*
 * A collective with what the member brings: to the search, one slice for everybody, by which those
 * who hear of it know from which history it came.
 */
static void write_coll(struct op *kept, const struct op *op)
{
    const struct op_coll *told = op_tail(op);
    struct op_coll coll = {.from = told->from, .until = told->until, .listed = told->listed, .slices = 1};
    kept->flags &= ~(uint32_t)OPF_ORDERED;
    memcpy(kept + 1, &coll, sizeof coll);
    memcpy((struct op_coll *)(kept + 1) + 1, op_coll_list(told), coll.listed * sizeof(uint32_t));
    struct op_slice *slice = (struct op_slice *)op_coll_slices((struct op_coll *)(kept + 1));
    *slice = (struct op_slice){.to = SLICE_FOR_ALL};
}

static struct op *add_op(struct tale *tale, const struct op *op)
{
    size_t size = kept_size(op);
    struct op *kept = (struct op *)(tale->bytes.at + tale->bytes.n);
    vec_push(&tale->op, (struct tale_op){.at = tale->bytes.n});
    tale->bytes.n += size;
    *kept = *op;
    kept->size = (uint32_t)size;
    if (op->kind == OP_COLL)
        write_coll(kept, op);
    else if (op->kind != OP_SEND)
        memcpy(kept + 1, op_tail(op), op_tail_size(op));
    return kept;
}

static void take_remark(struct tale_reader *reader, const struct op *op)
{
    struct tale *tale = reader->tale;
    struct op *kept = (struct op *)(tale->remark_bytes.at + tale->remark_bytes.n);
    memcpy(kept, op, op->size);
    kept->place = told_place(reader, op->place);
    tale->remark_bytes.n += op->size;
    vec_push(&tale->remark, ((struct window_remark){tale->op.n, kept}));
}

static void take_op(struct tale_reader *reader, const struct causal_op *record)
{
    const struct op *op = &record->op;
    struct op *kept = add_op(reader->tale, op);
    kept->place = told_place(reader, op->place);
    kept->payload = 0;
    if (kept->kind == OP_CRASH)
        settle_stack(reader, kept);
    if (kept->request > reader->highest)
        reader->highest = kept->request;
    /* To the search, what a blocking call waits for is a request, too: one whose number nobody has as long as it waits. */
    if (kept->request == 0 && kept->flags & OPF_BLOCKING && op_wants_answer(kept))
        kept->request = reader->highest + 1;
}

/* ---- what calls have returned ---- */

static void take_done(struct tale_reader *reader, const struct causal_done *done)
{
    struct tale *tale = reader->tale;
    struct tale_op *call = &tale->op.at[done->by];
    if (call->items == 0)
        call->first_item = (uint32_t)tale->item.n;
    call->items++;
    vec_push(&tale->item, (struct tale_item){.op = done->op,
                                               .source = done->source,
                                               .tag = done->tag,
                                               .bytes = done->bytes,
                                               .cancelled = done->flags & CAUSAL_WAS_CANCELLED,
                                               .named = done->flags & CAUSAL_HAS_SENDER,
                                               .sender_op = done->flags & CAUSAL_HAS_SENDER ? done->sender_op : 0});
}

static void take_choice(struct tale_reader *reader, const struct causal_choice *choice)
{
    struct tale *tale = reader->tale;
    struct tale_op *call = &tale->op.at[choice->op];
    call->chosen = true;
    call->kind = (uint8_t)choice->kind;
    call->value = choice->value;
    call->noes = choice->polls;
    call->turned = choice->kind == CHOICE_NO;
    call->first_index = (uint32_t)tale->index.n;
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

static bool remark_is_sound(const struct causal_remark *record, int ranks)
{
    const struct op *op = &record->op;
    return op_is_sound(op, record->record.size - offsetof(struct causal_remark, op), ranks) &&
           (op->kind == OP_ACCESS || op->kind == OP_WINDOW || op->kind == OP_FILE || op->kind == OP_FILE_ACCESS);
}

/* Items of one call lie together: it tells of all before the rank does anything else. */
static bool done_is_sound(const struct tale *tale, const struct causal_done *done)
{
    const struct tale_op *call = done->by < tale->op.n ? &tale->op.at[done->by] : NULL;
    return call && (!call->items || call->first_item + call->items == tale->item.n) &&
           (!(done->flags & CAUSAL_HAS_SENDER) || done->record.size >= sizeof *done);
}

static bool choice_is_whole(const struct causal_choice *choice)
{
    return choice->kind <= CHOICE_NO && choice->items <= (choice->record.size - sizeof *choice) / sizeof *choice->item;
}

/* A file can be damaged on its way, and by the program. */
static bool is_whole(const struct tale_reader *reader, const struct causal_record *record)
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
        [CAUSAL_REMARK] = sizeof(struct causal_remark),
    };
    if (record->kind >= sizeof least / sizeof *least || record->size < least[record->kind])
        return false;
    switch ((enum causal_record_kind)record->kind) {
    case CAUSAL_OP:
        return op_record_is_sound((const struct causal_op *)record, reader->ranks);
    case CAUSAL_REMARK:
        return remark_is_sound((const struct causal_remark *)record, reader->ranks);
    case CAUSAL_CHOICE:
        return choice_is_whole((const struct causal_choice *)record);
    case CAUSAL_UNSUPPORTED:
        return ((const struct causal_unsupported *)record)->call < CALL_COUNT;
    case CAUSAL_MODULE:
        return memchr(((const struct causal_module *)record)->path, 0, record->size - sizeof(struct causal_module));
    case CAUSAL_NONE:
    case CAUSAL_KNOWS:
    case CAUSAL_DONE:
    case CAUSAL_LATE:
    case CAUSAL_DISPUTE:
    case CAUSAL_DIVERGED:
    case CAUSAL_END:
    case CAUSAL_UNCERTAIN:
    case CAUSAL_LATER:
        return true;
    }
    return true;
}

static void take_later(struct tale *tale, const struct causal_later *later)
{
    if (later->op < tale->later)
        tale->later = later->op;
}

/* And whether it fits what came before. */
static bool record_fits(const struct tale_reader *reader, const struct causal_record *record)
{
    if (record->kind == CAUSAL_DONE)
        return done_is_sound(reader->tale, (const struct causal_done *)record);
    if (record->kind == CAUSAL_CHOICE)
        return ((const struct causal_choice *)record)->op < reader->tale->op.n;
    return true;
}

static void take_record(struct tale_reader *reader, const struct causal_record *record)
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
        vec_push(&reader->loaded, (struct told_file){.module = (const struct causal_module *)record});
        break;
    case CAUSAL_END:
        reader->ended = true;
        reader->end = *(const struct causal_end *)record;
        break;
    case CAUSAL_LATER:
        take_later(reader->tale, (const struct causal_later *)record);
        break;
    case CAUSAL_REMARK:
        take_remark(reader, &((const struct causal_remark *)record)->op);
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
    if (op_chooses(op))
        return 0;
    if (op->kind != OP_WAIT && op->kind != OP_TEST)
        return 1;
    if (!(op->flags & (OPF_ANY | OPF_SOME)))
        return op->items;
    return call->indexes ? call->indexes : 1;
}

/* Whoever did something later has come back from the call; the last one has if it has completed all it waits for. */
static void settle_answers(struct tale_reader *reader)
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
    tale->blocked = now->state == CAUSAL_BLOCKED && now->op + 1 == tale->op.n;
    if (now->state == CAUSAL_POLLING && now->op + 1 == tale->op.n && now->round <= tale->op.n)
        tale->round = now->round;
}

/* ---- segments ---- */

static bool ends_segment(const struct op *op)
{
    return op_wants_answer(op) || op_ends_rank(op);
}

/*
 * What a rank does that is in MPI_Finalize when the job has to be ended for the sake of others, nobody can
 * know; it is taken to end well.
 */
static void add_last_segment(struct tale *tale, struct told_segment segment, struct tale_end end)
{
    segment.assumed = !end.ended && segment.count && tale_op(tale, segment_call(&segment))->kind == OP_FINALIZE;
    segment.whole = end.ended || segment.assumed;
    if (segment.assumed)
        end.status = 0;
    segment.end = end.ended && WIFSIGNALED(end.status) ? SEGMENT_CRASH : SEGMENT_EXIT;
    segment.code = WIFSIGNALED(end.status) ? WTERMSIG(end.status) : WEXITSTATUS(end.status);
    vec_push(&tale->segment, segment);
}

static void cut_into_segments(struct tale *tale, struct tale_end end)
{
    struct told_segment segment = {0};
    uint32_t contents = 0;
    for (size_t i = 0; i < tale->op.n; i++) {
        const struct op *op = tale_op(tale, i);
        segment.count++;
        contents += op_contents(op);
        if (!ends_segment(op))
            continue;
        segment.whole = true;
        segment.end = op_wants_answer(op) ? SEGMENT_CALL : segment_end_by(op);
        segment.code = op_wants_answer(op) ? 0 : op->code;
        vec_push(&tale->segment, segment);
        if (op_ends_rank(op))
            return;
        segment = (struct told_segment){.first = i + 1, .first_content = contents};
    }
    if (segment.count || !tale->op.n || vec_last(&tale->op).answered)
        add_last_segment(tale, segment, end);
}

size_t tale_segment_of(const struct tale *tale, uint64_t op)
{
    size_t low = 0, high = tale->segment.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (tale->segment.at[middle].first + tale->segment.at[middle].count <= op)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- room ---- */

/* How long its lists are, at most. */
struct lengths {
    size_t bytes, ops, items, indexes, contents, segments, remarks, remark_bytes;
};

static struct lengths measure(const struct tale_reader *reader, uint64_t bytes)
{
    struct lengths n = {.segments = 1};
    const struct causal_record *record = NULL;
    while ((record = causal_next(reader->head, bytes, record)) && is_whole(reader, record)) {
        const struct op *op = &((const struct causal_op *)record)->op;
        if (record->kind == CAUSAL_OP) {
            n.ops++;
            n.bytes += kept_size(op);
            n.contents += op->kind == OP_SEND || op->kind == OP_COLL;
            n.segments += ends_segment(op);
        } else if (record->kind == CAUSAL_DONE) {
            n.items++;
        } else if (record->kind == CAUSAL_CHOICE) {
            n.indexes += ((const struct causal_choice *)record)->items;
        } else if (record->kind == CAUSAL_REMARK) {
            n.remarks++;
            n.remark_bytes += ((const struct causal_remark *)record)->op.size;
        }
    }
    return n;
}

static void *part(char **at, size_t n, size_t size)
{
    void *here = *at;
    *at += op_round(n * size);
    return here;
}

#define GIVE(tale, list, length) ((tale)->list.at = part(&at, length, sizeof *(tale)->list.at), (tale)->list.cap = (length))

static void make_room_in_tale(struct tale *tale, const struct lengths *n)
{
    tale->size = n->bytes + n->ops * sizeof *tale->op.at + n->items * sizeof *tale->item.at +
                 op_round(n->indexes * sizeof *tale->index.at) + n->contents * sizeof *tale->content +
                 op_round(n->segments * sizeof *tale->segment.at) + n->remarks * sizeof *tale->remark.at +
                 n->remark_bytes;
    char *at = tale->block = bulk_new(tale->size);
    GIVE(tale, bytes, n->bytes);
    GIVE(tale, op, n->ops);
    GIVE(tale, item, n->items);
    GIVE(tale, index, n->indexes);
    GIVE(tale, segment, n->segments);
    GIVE(tale, remark, n->remarks);
    GIVE(tale, remark_bytes, n->remark_bytes);
    tale->content = part(&at, n->contents, sizeof *tale->content);
}

void tale_nothing(struct tale *tale, struct tale_end end)
{
    *tale = (struct tale){.rank = RANK_NONE, .forced = RANK_ANY, .later = SIZE_MAX};
    make_room_in_tale(tale, &(struct lengths){.segments = 1});
    if (end.ended)
        add_last_segment(tale, (struct told_segment){0}, end);
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

static const char *library_of(const struct causal_head *head)
{
    for (int i = 0; mpi_libraries[i]; i++)
        if (strncmp(head->mpi, mpi_libraries[i]->name, sizeof head->mpi) == 0)
            return mpi_libraries[i]->name;
    return NULL;
}

enum tale_fault tale_read(struct tale *tale, const void *file, uint64_t bytes, int ranks, struct tale_end end,
                          struct modules *modules)
{
    const struct causal_head *head = file;
    struct tale_reader reader = {.tale = tale, .modules = modules, .head = head, .ranks = ranks};
    *tale = (struct tale){.rank = RANK_NONE, .forced = RANK_ANY, .later = SIZE_MAX};
    enum tale_fault fault = fault_of_head(head, bytes, ranks);
    if (fault)
        return fault;
    tale->rank = head->rank;
    tale->mpi = library_of(head);
    tale->forced = head->now.state == CAUSAL_BLOCKED && head->now.forced < ranks ? head->now.forced : RANK_ANY;
    struct lengths lengths = measure(&reader, bytes);
    make_room_in_tale(tale, &lengths);
    const struct causal_record *record = NULL;
    while ((record = causal_next(head, bytes, record)) && is_whole(&reader, record) && record_fits(&reader, record))
        take_record(&reader, record);
    if (!record) {
        settle_answers(&reader);
        cut_into_segments(tale, end);
    } else {
        tale_release(tale);
    }
    vec_release(&reader.loaded);
    return record ? TALE_IS_DAMAGED : TALE_IS_GOOD;
}

void tale_release(struct tale *tale)
{
    bulk_free(tale->block, tale->size);
    vec_release(&tale->unsupported);
    *tale = (struct tale){.rank = RANK_NONE, .forced = RANK_ANY};
}
