/*
 * Reading.  Nothing in a file is believed before its checksum was right, and no
 * length even then: it is compared with what is really there.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <zstd.h>

#include "base/die.h"
#include "base/mem.h"
#include "call/calls.h"
#include "trace/format.h"
#include "trace/trace.h"

enum { STEP = 1 << 20, CALLS = UINT16_MAX + 1, OP_WORDS = sizeof(struct op) / sizeof(uint64_t) };
_Static_assert(sizeof(struct op) % sizeof(uint64_t) == 0, "a tail is aligned");

struct bytes {
    uint8_t *at;
    size_t n, cap;
};

struct trace_reader {
    FILE *file;      /* owns */
    uint64_t offset; /* bytes read from it */
    struct trace_head head;
    struct bytes head_bytes; /* owns; the texts of `head` are in it */
    VEC(char *) args;        /* owns; borrows the texts */

    enum trace_record_kind state; /* TRACE_EOF, TRACE_TORN: there is no more */
    char torn[160];
    uint32_t block; /* number of the next */
    uint64_t block_offset;
    ZSTD_DCtx *zstd;         /* owns */
    struct bytes stored;     /* owns */
    struct bytes raw;        /* owns */
    struct format_view view; /* what is left of `raw` */

    struct format_memory memory;
    VEC(uint64_t) op;      /* owns; the operation with its tail, in words to be aligned */
    VEC(uint32_t) numbers; /* owns */
    uint32_t call[CALLS];  /* numbers in the file to ours, plus one; 0: not named yet */
};

/* What is there of `n` bytes: memory grows as they come, not as they are announced. */
static bool read_bytes(struct trace_reader *reader, struct bytes *to, size_t n)
{
    vec_clear(to);
    while (to->n < n) {
        size_t step = n - to->n < STEP ? n - to->n : STEP;
        vec_reserve(to, step);
        size_t got = fread(to->at + to->n, 1, step, reader->file);
        to->n += got;
        reader->offset += got;
        if (got < step)
            return false;
    }
    return true;
}

static void torn(struct trace_reader *reader, const char *how, uint64_t offset)
{
    bool failed = ferror(reader->file);
    int error = errno;
    reader->state = TRACE_TORN;
    int n = snprintf(reader->torn, sizeof reader->torn, "%s at byte %" PRIu64, failed ? "cannot be read" : how,
                     failed ? reader->offset : offset);
    size_t used = n < 0 ? 0 : (size_t)n;
    if (failed)
        snprintf(reader->torn + used, sizeof reader->torn - used, ": %s", strerror(error));
    else
        snprintf(reader->torn + used, sizeof reader->torn - used, "; everything before it was read");
}

const char *trace_reader_torn(const struct trace_reader *reader)
{
    return reader->torn;
}

static void damaged(struct trace_reader *reader)
{
    torn(reader, "is damaged in the block", reader->block_offset);
}

static bool unpack(struct trace_reader *reader, size_t raw)
{
    vec_clear(&reader->raw);
    vec_reserve(&reader->raw, raw);
    if (reader->stored.n == raw) {
        memcpy(reader->raw.at, reader->stored.at, raw);
    } else {
        size_t got = ZSTD_decompressDCtx(reader->zstd, reader->raw.at, raw, reader->stored.at, reader->stored.n);
        if (ZSTD_isError(got) || got != raw)
            return false;
    }
    reader->raw.n = raw;
    reader->view = (struct format_view){reader->raw.at, reader->raw.at + raw, false};
    return true;
}

/* Nothing may follow the block that closes the file. */
static void read_close(struct trace_reader *reader)
{
    uint64_t offset = reader->offset;
    if (fgetc(reader->file) == EOF && !ferror(reader->file))
        reader->state = TRACE_EOF;
    else
        torn(reader, "goes on behind its end", offset);
}

static void read_trace_block(struct trace_reader *reader)
{
    struct format_block head;
    reader->block_offset = reader->offset;
    if (!read_bytes(reader, &reader->stored, sizeof head)) {
        if (reader->stored.n == 0)
            torn(reader, "ends without being closed", reader->offset);
        else
            torn(reader, "ends in the middle of a block", reader->offset);
        return;
    }
    memcpy(&head, reader->stored.at, sizeof head);
    if (head.number != reader->block || head.stored > head.raw || head.raw > FORMAT_BLOCK_MAX ||
        (head.stored == 0 && head.raw != 0)) {
        damaged(reader);
        return;
    }
    if (!read_bytes(reader, &reader->stored, head.stored)) {
        torn(reader, "ends in the middle of a block", reader->offset);
        return;
    }
    uint32_t sum = format_sum(0, &head, offsetof(struct format_block, sum));
    if (format_sum(sum, reader->stored.at, head.stored) != head.sum)
        damaged(reader);
    else if (head.stored == 0)
        read_close(reader);
    else if (!unpack(reader, head.raw))
        damaged(reader);
    reader->block++;
}

static rank_t get_rank(struct trace_reader *reader)
{
    uint64_t rank = format_get(&reader->view);
    if (rank >= (uint64_t)reader->head.ranks)
        reader->view.bad = true;
    return reader->view.bad ? 0 : (rank_t)rank;
}

static uint64_t get_difference(struct trace_reader *reader, uint64_t before)
{
    return before + format_unfold(format_get(&reader->view));
}

static int32_t get_int(struct trace_reader *reader)
{
    int64_t value = (int64_t)get_difference(reader, 0);
    if (value != (int32_t)value)
        reader->view.bad = true;
    return (int32_t)value;
}

static struct op_ref get_ref(struct trace_reader *reader)
{
    rank_t rank = get_rank(reader);
    return (struct op_ref){rank, get_difference(reader, format_last(&reader->memory, rank)->next)};
}

/* The length of a list; each entry takes at least `size` bytes. */
static size_t get_length(struct trace_reader *reader, size_t size)
{
    uint64_t n = format_get(&reader->view);
    if (n > format_left(&reader->view) / size) {
        reader->view.bad = true;
        return 0;
    }
    return (size_t)n;
}

static uint32_t get_number(struct trace_reader *reader, uint32_t before)
{
    uint64_t value = get_difference(reader, before);
    if (value > UINT32_MAX)
        reader->view.bad = true;
    return (uint32_t)value;
}

static void get_numbers(struct trace_reader *reader, uint32_t *to, size_t n)
{
    uint32_t before = 0;
    for (size_t i = 0; i < n; i++)
        to[i] = before = get_number(reader, before);
}

/* Zeroed room at the end of the operation; what it returns moves with the next. */
static void *add_tail(struct trace_reader *reader, size_t size)
{
    size_t words = op_round(size) / sizeof(uint64_t);
    vec_reserve(&reader->op, words);
    uint64_t *at = reader->op.at + reader->op.n;
    memset(at, 0, words * sizeof *at);
    reader->op.n += words;
    return at;
}

static void get_group(struct trace_reader *reader)
{
    uint64_t parent = format_get(&reader->view);
    uint64_t first_group = format_get(&reader->view);
    size_t members = get_length(reader, 1);
    struct op_group *group = add_tail(reader, sizeof *group + members * sizeof *group->member);
    if (first_group > UINT32_MAX)
        reader->view.bad = true;
    group->parent = parent;
    group->first_group = (uint32_t)first_group;
    group->members = (uint32_t)members;
    get_numbers(reader, (uint32_t *)group->member, members);
}

static void get_slices(struct trace_reader *reader, struct op_slice *slice, size_t n)
{
    struct op_slice before = {0};
    for (size_t i = 0; i < n; i++) {
        uint64_t to = get_difference(reader, (uint64_t)before.to);
        if ((int64_t)to != (int32_t)to)
            reader->view.bad = true;
        slice[i] = before = (struct op_slice){.to = (int32_t)to, .bytes = get_difference(reader, before.bytes)};
    }
}

static void get_coll(struct trace_reader *reader)
{
    uint64_t from = format_get(&reader->view);
    uint64_t until = format_get(&reader->view);
    size_t listed = get_length(reader, 1);
    struct op_coll *coll = add_tail(reader, sizeof *coll + listed * sizeof(uint32_t));
    if (from > UINT32_MAX || until > UINT32_MAX)
        reader->view.bad = true;
    *coll = (struct op_coll){.from = (uint32_t)from, .until = (uint32_t)until, .listed = (uint32_t)listed};
    get_numbers(reader, (uint32_t *)(coll + 1), listed);
    size_t slices = get_length(reader, 2);
    get_slices(reader, add_tail(reader, slices * sizeof(struct op_slice)), slices);
    coll = (struct op_coll *)(reader->op.at + OP_WORDS);
    coll->slices = (uint32_t)slices;
}

static void get_stack(struct trace_reader *reader)
{
    size_t n = get_length(reader, 1);
    uint64_t *frame = add_tail(reader, n * sizeof *frame), before = 0;
    for (size_t i = 0; i < n; i++)
        frame[i] = before = get_difference(reader, before);
}

static void get_text_tail(struct trace_reader *reader)
{
    const char *text = format_get_text(&reader->view);
    if (!text)
        reader->view.bad = true;
    else
        memcpy(add_tail(reader, strlen(text) + 1), text, strlen(text) + 1);
}

static void get_tail(struct trace_reader *reader, enum op_kind kind)
{
    size_t n;
    switch (op_kind_tail(kind)) {
    case OP_TAIL_NONE:
        break;
    case OP_TAIL_NUMBERS:
        n = get_length(reader, 1);
        get_numbers(reader, add_tail(reader, n * sizeof(uint32_t)), n);
        ((struct op *)reader->op.at)->items = (uint32_t)n;
        break;
    case OP_TAIL_GROUP:
        get_group(reader);
        break;
    case OP_TAIL_COLL:
        get_coll(reader);
        break;
    case OP_TAIL_STACK:
        get_stack(reader);
        break;
    case OP_TAIL_TEXT:
        get_text_tail(reader);
        break;
    }
}

static unsigned get_bits(struct format_view *view)
{
    if (format_left(view) < 2) {
        view->bad = true;
        return 0;
    }
    view->at += 2;
    return view->at[-2] | (unsigned)view->at[-1] << 8;
}

static void get_op(struct trace_reader *reader, struct trace_record *record)
{
    struct format_view *view = &reader->view;
    rank_t rank = get_rank(reader);
    struct format_last *last = format_last(&reader->memory, rank);
    unsigned bits = get_bits(view);
    record->ref = (struct op_ref){rank, last->next};
    if (bits & 1u << FORMAT_BIT_index)
        record->ref.index = get_difference(reader, last->next);
    last->next = record->ref.index + 1;
#define X(field)                                                                                                       \
    if (bits & 1u << FORMAT_BIT_##field) {                                                                             \
        uint64_t value = get_difference(reader, (uint64_t)last->op.field);                                             \
        last->op.field = (__typeof__(last->op.field))value;                                                            \
        view->bad |= (uint64_t)last->op.field != value;                                                                \
    }
    FORMAT_OP_FIELDS(X)
    FORMAT_LATER_OP_FIELDS(X)
#undef X
    view->bad |= last->op.kind >= OP_KINDS || reader->call[last->op.call] == 0;
    if (view->bad)
        return;
    vec_clear(&reader->op);
    struct op *op = add_tail(reader, sizeof *op);
    *op = last->op;
    op->call = (uint16_t)(reader->call[op->call] - 1);
    get_tail(reader, last->op.kind);
    op = (struct op *)reader->op.at;
    op->size = (uint32_t)(reader->op.n * sizeof(uint64_t));
    record->op = op;
}

static void get_call(struct trace_reader *reader)
{
    uint64_t number = format_get(&reader->view);
    const char *name = format_get_text(&reader->view);
    if (!name || number >= CALLS)
        reader->view.bad = true;
    else
        reader->call[number] = (uint32_t)call_by_name(name) + 1;
}

static void get_return(struct trace_reader *reader, struct trace_return *ret)
{
    ret->op = get_ref(reader);
    uint64_t flag = format_get(&reader->view);
    ret->flag = flag != 0;
    ret->requests = (uint32_t)get_length(reader, 1);
    vec_clear(&reader->numbers);
    vec_reserve(&reader->numbers, ret->requests);
    get_numbers(reader, reader->numbers.at, ret->requests);
    ret->request = reader->numbers.at;
    ret->source = get_int(reader);
    ret->tag = get_int(reader);
    ret->bytes = format_get(&reader->view);
    reader->view.bad |= flag > 1;
}

static void get_place(struct trace_reader *reader, struct trace_place *place)
{
    place->rank = get_rank(reader);
    place->address = format_get(&reader->view);
    place->offset = format_get(&reader->view);
    place->line = get_int(reader);
    place->module = format_get_text(&reader->view);
    place->function = format_get_text(&reader->view);
    place->file = format_get_text(&reader->view);
}

static void get_end(struct trace_reader *reader, struct trace_end *end)
{
    uint64_t kind = format_get(&reader->view);
    if (kind > TRACE_STOPPED)
        reader->view.bad = true;
    else
        end->kind = (enum trace_end_kind)kind;
    end->code = get_int(reader);
    end->message = format_get_text(&reader->view);
}

static enum trace_record_kind get_record(struct trace_reader *reader, struct trace_record *record)
{
    while (reader->view.at < reader->view.end) {
        switch ((enum format_record)*reader->view.at++) {
        case RECORD_CALL:
            get_call(reader);
            break;
        case RECORD_OP:
            get_op(reader, record);
            return TRACE_OP;
        case RECORD_MATCH:
            record->ref = get_ref(reader);
            record->other = get_ref(reader);
            return TRACE_MATCH;
        case RECORD_RETURN:
            get_return(reader, &record->ret);
            return TRACE_RETURN;
        case RECORD_PLACE:
            get_place(reader, &record->place);
            return TRACE_PLACE;
        case RECORD_END:
            get_end(reader, &record->end);
            return TRACE_END;
        default:
            reader->view.bad = true;
        }
        if (reader->view.bad)
            break;
    }
    return TRACE_EOF; /* of this block */
}

enum trace_record_kind trace_next(struct trace_reader *reader, struct trace_record *record)
{
    enum trace_record_kind kind = TRACE_EOF;
    memset(record, 0, sizeof *record);
    while (kind == TRACE_EOF && reader->state == TRACE_OP) {
        if (reader->view.at == reader->view.end)
            read_trace_block(reader);
        else
            kind = get_record(reader, record);
        if (reader->view.bad) {
            memset(record, 0, sizeof *record);
            kind = TRACE_EOF;
            damaged(reader);
        }
    }
    if (kind == TRACE_EOF)
        kind = reader->state;
    return record->kind = kind;
}

static const char *get_head(struct trace_reader *reader)
{
    struct format_view view = {reader->head_bytes.at, reader->head_bytes.at + reader->head_bytes.n, false};
    struct trace_head *head = &reader->head;
    head->program = format_get_text(&view);
    head->mpi = format_get_text(&view);
    head->buffering = format_get_text(&view);
    uint64_t ranks = format_get(&view);
    uint64_t argc = format_get(&view);
    for (uint64_t i = 0; i < argc && !view.bad; i++)
        vec_push(&reader->args, (char *)format_get_text(&view));
    if (view.bad || view.at != view.end || ranks > FORMAT_MOST_RANKS || argc > INT32_MAX)
        return "execution record with a damaged head";
    head->ranks = (int)ranks;
    head->argc = (int)argc;
    head->argv = reader->args.at;
    return NULL;
}

static const char *read_trace_head(struct trace_reader *reader)
{
    static const char cut_off[] = "execution record that ends in its head: nothing in it can be read";
    struct format_head head;
    bool whole = read_bytes(reader, &reader->head_bytes, sizeof head);
    size_t got = reader->head_bytes.n;
    if (ferror(reader->file))
        return strerror(errno);
    if (got == 0)
        return "empty file, not an execution record";
    memcpy(&head, reader->head_bytes.at, got);
    if (memcmp(head.magic, FORMAT_MAGIC, got < sizeof head.magic ? got : sizeof head.magic) != 0)
        return "not an execution record of tourney";
    if (!whole)
        return cut_off;
    if (head.mark == __builtin_bswap32(FORMAT_MARK))
        return "execution record from a machine with another byte order: read it there";
    if (head.length > FORMAT_HEAD_MAX)
        return "execution record with a damaged head";
    if (!read_bytes(reader, &reader->head_bytes, head.length))
        return ferror(reader->file) ? strerror(errno) : cut_off;
    uint32_t sum = format_sum(0, &head, offsetof(struct format_head, sum));
    if (head.mark != FORMAT_MARK || format_sum(sum, reader->head_bytes.at, head.length) != head.sum)
        return "execution record with a damaged head";
    if (head.version > FORMAT_VERSION)
        return "execution record in a newer format than this tourney knows: use a newer tourney";
    if (head.version < FORMAT_VERSION)
        return "execution record in an older format: use the tourney that wrote it";
    return get_head(reader);
}

struct trace_reader *trace_open(const char *path, const char **error)
{
    FILE *file = fopen(path, "rbe");
    if (!file) {
        *error = strerror(errno);
        return NULL;
    }
    struct trace_reader *reader = xcalloc(1, sizeof *reader);
    reader->file = file;
    reader->state = TRACE_OP;
    reader->zstd = ZSTD_createDCtx();
    if (!reader->zstd)
        die("out of memory (decompression)");
    *error = read_trace_head(reader);
    if (!*error)
        return reader;
    trace_reader_close(reader);
    return NULL;
}

const struct trace_head *trace_reader_head(const struct trace_reader *reader)
{
    return &reader->head;
}

void trace_reader_close(struct trace_reader *reader)
{
    fclose(reader->file);
    ZSTD_freeDCtx(reader->zstd);
    vec_release(&reader->head_bytes);
    vec_release(&reader->args);
    vec_release(&reader->stored);
    vec_release(&reader->raw);
    vec_release(&reader->op);
    vec_release(&reader->numbers);
    free(reader);
}
