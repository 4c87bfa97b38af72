/*
 * Writing.  Records gather in one block in memory; a full block is compressed
 * and leaves with one write, so a killed tourney loses one block at most and
 * what it left is whole.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include "base/die.h"
#include "base/mem.h"
#include "call/calls.h"
#include "trace/format.h"
#include "trace/trace.h"

/* Bound on a record without its lists and texts: its fields, all of the longest. */
enum { SMALL = 20 * FORMAT_VARINT_MAX, LEVEL = 1 };

struct trace_writer {
    int fd;
    int error; /* errno of what went wrong first; nothing is written after it */
    int ranks;
    uint32_t block; /* number of the next */
    struct format_memory memory;
    ZSTD_CCtx *zstd;                       /* owns */
    VEC(uint8_t) raw;                      /* owns */
    VEC(uint8_t) stored;                   /* owns; with room for the block's head in front */
    uint64_t named[(UINT16_MAX + 1) / 64]; /* calls whose names are in the file */
};

static void write_to_trace(struct trace_writer *writer, const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n > 0 && !writer->error) {
        ssize_t done = write(writer->fd, at, n);
        if (done > 0) {
            at += done;
            n -= (size_t)done;
        } else if (done == 0 || errno != EINTR) {
            writer->error = done == 0 ? ENOSPC : errno;
        }
    }
}

/* Everything but the head of the block is in `stored` already. */
static void write_block(struct trace_writer *writer, size_t stored, size_t raw)
{
    struct format_block head = {.number = writer->block++, .stored = (uint32_t)stored, .raw = (uint32_t)raw};
    uint8_t *bytes = writer->stored.at;
    head.sum = format_sum(format_sum(0, &head, offsetof(struct format_block, sum)), bytes + sizeof head, stored);
    memcpy(bytes, &head, sizeof head);
    write_to_trace(writer, bytes, sizeof head + stored);
}

void trace_flush(struct trace_writer *writer)
{
    size_t raw = writer->raw.n;
    vec_clear(&writer->raw);
    if (raw > FORMAT_BLOCK_MAX && !writer->error)
        writer->error = EFBIG;
    if (raw == 0 || writer->error)
        return;
    size_t room = ZSTD_compressBound(raw);
    vec_reserve(&writer->stored, sizeof(struct format_block) + room);
    uint8_t *to = writer->stored.at + sizeof(struct format_block);
    size_t stored = ZSTD_compressCCtx(writer->zstd, to, room, writer->raw.at, raw, LEVEL);
    if (ZSTD_isError(stored) || stored >= raw) {
        memcpy(to, writer->raw.at, raw);
        stored = raw;
    }
    write_block(writer, stored, raw);
}

/* Room for a record of at most `need` bytes; returns where it goes. */
static uint8_t *open_record(struct trace_writer *writer, size_t need)
{
    if (writer->raw.n + need > FORMAT_BLOCK)
        trace_flush(writer);
    vec_reserve(&writer->raw, need);
    return writer->raw.at + writer->raw.n;
}

static void close_record(struct trace_writer *writer, const uint8_t *at)
{
    writer->raw.n = (size_t)(at - writer->raw.at);
}

static uint8_t *put_folded_difference(uint8_t *at, uint64_t value, uint64_t before)
{
    return format_put(at, format_fold(value - before));
}

static size_t text_room(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

static uint8_t *put_sized_text(uint8_t *at, const char *text)
{
    size_t size = text_room(text);
    at = format_put(at, size);
    if (text)
        memcpy(at, text, size);
    return at + size;
}

static void check_record_rank(const struct trace_writer *writer, rank_t rank)
{
    if (rank < 0 || rank >= writer->ranks)
        BUG("rank %d of %d in an execution record", (int)rank, writer->ranks);
}

static uint8_t *put_ref(struct trace_writer *writer, uint8_t *at, struct op_ref ref)
{
    check_record_rank(writer, ref.rank);
    at = format_put(at, (uint32_t)ref.rank);
    return put_folded_difference(at, ref.index, format_last(&writer->memory, ref.rank)->next);
}

static uint8_t *put_number_list(uint8_t *at, const uint32_t *number, size_t n)
{
    uint32_t before = 0;
    at = format_put(at, n);
    for (size_t i = 0; i < n; i++) {
        at = put_folded_difference(at, number[i], before);
        before = number[i];
    }
    return at;
}

static uint8_t *put_slices(uint8_t *at, const struct op_slice *slice, size_t n)
{
    struct op_slice before = {0};
    at = format_put(at, n);
    for (size_t i = 0; i < n; i++) {
        at = put_folded_difference(at, (uint64_t)slice[i].to, (uint64_t)before.to);
        at = put_folded_difference(at, slice[i].bytes, before.bytes);
        before = slice[i];
    }
    return at;
}

static size_t smaller_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/*
 * Tails come from the ranks, whose memory a wild program can write to: no list
 * is longer than the tail it stands in, whatever it says.
 */
static uint8_t *put_group(uint8_t *at, const struct op_group *group, size_t size)
{
    if (size < sizeof *group)
        return put_number_list(format_put(format_put(at, 0), 0), NULL, 0);
    at = format_put(at, group->parent);
    at = format_put(at, group->first_group);
    size_t members = smaller_of(group->members, (size - sizeof *group) / sizeof *group->member);
    return put_number_list(at, (const uint32_t *)group->member, members);
}

static uint8_t *put_coll_tail(uint8_t *at, const struct op_coll *coll, size_t size)
{
    if (size < sizeof *coll)
        return put_slices(put_number_list(format_put(format_put(at, 0), 0), NULL, 0), NULL, 0);
    at = format_put(at, coll->from);
    at = format_put(at, coll->until);
    at = put_number_list(at, op_coll_list(coll), smaller_of(coll->listed, (size - sizeof *coll) / sizeof(uint32_t)));
    size_t front = sizeof *coll + op_coll_lists(coll);
    size_t slices = front < size ? smaller_of(coll->slices, (size - front) / sizeof(struct op_slice)) : 0;
    return put_slices(at, slices ? op_coll_slices(coll) : NULL, slices);
}

static uint8_t *put_stack_frames(uint8_t *at, const uint64_t *frame, size_t n)
{
    uint64_t before = 0;
    at = format_put(at, n);
    for (size_t i = 0; i < n; i++) {
        at = put_folded_difference(at, frame[i], before);
        before = frame[i];
    }
    return at;
}

static uint8_t *put_tail(uint8_t *at, const struct op *op, size_t size)
{
    const void *tail = op_tail(op);
    switch (op_kind_tail(op->kind)) {
    case OP_TAIL_NONE:
        return at;
    case OP_TAIL_NUMBERS:
        return put_number_list(at, tail, smaller_of(op->items, size / sizeof(uint32_t)));
    case OP_TAIL_GROUP:
        return put_group(at, tail, size);
    case OP_TAIL_COLL:
        return put_coll_tail(at, tail, size);
    case OP_TAIL_STACK:
        return put_stack_frames(at, tail, size / sizeof(uint64_t));
    case OP_TAIL_TEXT:
        size = strnlen(tail, size);
        at = format_put(at, size + 1);
        memcpy(at, tail, size);
        at[size] = 0;
        return at + size + 1;
    }
    BUG("tail of operation kind %d", op->kind);
}

/* Numbers of calls change with the table, names do not: a file brings the names it uses. */
static void name_call(struct trace_writer *writer, uint16_t call)
{
    const char *name = call_name(call);
    uint8_t *at = open_record(writer, SMALL + text_room(name));
    *at++ = RECORD_CALL;
    at = format_put(at, call);
    close_record(writer, put_sized_text(at, name));
    writer->named[call / 64] |= UINT64_C(1) << call % 64;
}

void trace_op(struct trace_writer *writer, struct op_ref ref, const struct op *op)
{
    check_record_rank(writer, ref.rank);
    if (!(writer->named[op->call / 64] >> op->call % 64 & 1))
        name_call(writer, op->call);
    size_t tail = op_kind_tail(op->kind) == OP_TAIL_NONE || op->size <= sizeof *op ? 0 : op_tail_size(op);
    uint8_t *at = open_record(writer, SMALL + 2 * tail);
    struct format_last *last = format_last(&writer->memory, ref.rank);

    *at++ = RECORD_OP;
    at = format_put(at, (uint32_t)ref.rank);
    uint8_t *bits_at = at;
    unsigned bits = 0;
    at += 2;
    if (ref.index != last->next) {
        bits |= 1u << FORMAT_BIT_index;
        at = put_folded_difference(at, ref.index, last->next);
    }
#define X(field)                                                                       \
    if (op->field != last->op.field) {                                                 \
        bits |= 1u << FORMAT_BIT_##field;                                              \
        at = put_folded_difference(at, (uint64_t)op->field, (uint64_t)last->op.field); \
        last->op.field = op->field;                                                    \
    }
    FORMAT_OP_FIELDS(X)
    FORMAT_LATER_OP_FIELDS(X)
#undef X
    last->next = ref.index + 1;
    bits_at[0] = (uint8_t)bits;
    bits_at[1] = (uint8_t)(bits >> 8);
    close_record(writer, put_tail(at, op, tail));
}

void trace_match(struct trace_writer *writer, struct op_ref send, struct op_ref recv)
{
    uint8_t *at = open_record(writer, SMALL);
    *at++ = RECORD_MATCH;
    at = put_ref(writer, at, send);
    close_record(writer, put_ref(writer, at, recv));
}

void trace_return(struct trace_writer *writer, const struct trace_return *ret)
{
    uint8_t *at = open_record(writer, SMALL + (size_t)ret->requests * FORMAT_VARINT_MAX);
    *at++ = RECORD_RETURN;
    at = put_ref(writer, at, ret->op);
    *at++ = ret->flag;
    at = put_number_list(at, ret->request, ret->requests);
    at = put_folded_difference(at, (uint64_t)ret->source, 0);
    at = put_folded_difference(at, (uint64_t)ret->tag, 0);
    close_record(writer, format_put(at, ret->bytes));
}

void trace_place(struct trace_writer *writer, const struct trace_place *place)
{
    check_record_rank(writer, place->rank);
    size_t texts = text_room(place->module) + text_room(place->function) + text_room(place->file);
    uint8_t *at = open_record(writer, SMALL + texts);
    *at++ = RECORD_PLACE;
    at = format_put(at, (uint32_t)place->rank);
    at = format_put(at, place->address);
    at = format_put(at, place->offset);
    at = put_folded_difference(at, (uint64_t)place->line, 0);
    at = put_sized_text(at, place->module);
    at = put_sized_text(at, place->function);
    close_record(writer, put_sized_text(at, place->file));
}

void trace_end(struct trace_writer *writer, const struct trace_end *how)
{
    uint8_t *at = open_record(writer, SMALL + text_room(how->message));
    *at++ = RECORD_END;
    at = format_put(at, how->kind);
    at = put_folded_difference(at, (uint64_t)how->code, 0);
    close_record(writer, put_sized_text(at, how->message));
}

static void write_trace_head(struct trace_writer *writer, const struct trace_head *about)
{
    struct format_head head = {.mark = FORMAT_MARK, .version = FORMAT_VERSION};
    size_t room = SMALL + text_room(about->program) + text_room(about->mpi) + text_room(about->buffering);
    for (int i = 0; i < about->argc; i++)
        room += FORMAT_VARINT_MAX + text_room(about->argv[i]);
    uint8_t *rest = xmalloc(room), *at = rest;
    at = put_sized_text(at, about->program);
    at = put_sized_text(at, about->mpi);
    at = put_sized_text(at, about->buffering);
    at = format_put(at, (uint32_t)about->ranks);
    at = format_put(at, (uint32_t)about->argc);
    for (int i = 0; i < about->argc; i++)
        at = put_sized_text(at, about->argv[i]);
    memcpy(head.magic, FORMAT_MAGIC, sizeof head.magic);
    head.length = (uint32_t)(at - rest);
    head.sum = format_sum(format_sum(0, &head, offsetof(struct format_head, sum)), rest, head.length);
    write_to_trace(writer, &head, sizeof head);
    write_to_trace(writer, rest, head.length);
    free(rest);
}

struct trace_writer *trace_create(const char *path, const struct trace_head *about)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return NULL;
    struct trace_writer *writer = xcalloc(1, sizeof *writer);
    writer->fd = fd;
    writer->ranks = about->ranks;
    writer->zstd = ZSTD_createCCtx();
    if (!writer->zstd)
        die("out of memory (compression)");
    vec_reserve(&writer->raw, FORMAT_BLOCK);
    vec_reserve(&writer->stored, sizeof(struct format_block) + ZSTD_compressBound(FORMAT_BLOCK));
    write_trace_head(writer, about);
    return writer;
}

int trace_close(struct trace_writer *writer)
{
    trace_flush(writer);
    write_block(writer, 0, 0);
    if (close(writer->fd) != 0 && !writer->error)
        writer->error = errno;
    int error = writer->error;
    ZSTD_freeCCtx(writer->zstd);
    vec_release(&writer->raw);
    vec_release(&writer->stored);
    free(writer);
    if (error)
        errno = error;
    return error ? -1 : 0;
}
