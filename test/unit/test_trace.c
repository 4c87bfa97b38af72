/* The execution record: what was written is read, and what is damaged is noticed. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <zstd.h>

#include "base/mem.h"
#include "call/calls.h"
#include "trace/format.h"
#include "trace/trace.h"

static char folder[] = "/dev/shm/test_trace.XXXXXX"; /* in memory: there are tens of thousands of files */
static char path[64], other_path[64];

/* One record, owned: what a test expects to read. */
struct expected {
    struct trace_record record;
    struct op *op;
    uint32_t *requests;
};

struct story {
    struct expected *at;
    size_t n, cap;
};

static void story_release(struct story *story)
{
    for (size_t i = 0; i < story->n; i++) {
        free(story->at[i].op);
        free(story->at[i].requests);
    }
    vec_release(story);
}

static uint64_t random_state = 1;

static uint64_t random_number(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static uint64_t below(uint64_t n)
{
    return random_number() % n;
}

static struct op *make_op(enum op_kind kind, size_t tail)
{
    struct op *op = xcalloc(1, sizeof *op + op_round(tail));
    op->kind = (uint8_t)kind;
    op->size = (uint32_t)(sizeof *op + op_round(tail));
    op->call = CALL_Recv;
    return op;
}

static struct op *make_text_op(enum op_kind kind, const char *text)
{
    struct op *op = make_op(kind, strlen(text) + 1);
    strcpy((char *)(op + 1), text);
    return op;
}

static struct op *make_group_op(context_t context, uint32_t members, uint32_t first_group)
{
    struct op *op = make_op(OP_CONTEXT, sizeof(struct op_group) + members * sizeof(rank_t));
    struct op_group *group = (struct op_group *)(op + 1);
    *group = (struct op_group){.parent = context / 2, .members = members, .first_group = first_group};
    for (uint32_t i = 0; i < members; i++)
        group->member[i] = (rank_t)i;
    op->context = context;
    op->call = CALL_Comm_dup;
    return op;
}

static struct op *make_coll_op(uint32_t listed, uint32_t slices, size_t payload)
{
    size_t front = sizeof(struct op_coll) + op_round(listed * sizeof(uint32_t));
    struct op *op = make_op(OP_COLL, front + slices * sizeof(struct op_slice) + payload);
    struct op_coll *coll = (struct op_coll *)(op + 1);
    *coll = (struct op_coll){.from = 1, .until = 5, .listed = listed, .slices = slices};
    for (uint32_t i = 0; i < listed; i++)
        ((uint32_t *)(coll + 1))[i] = (uint32_t)below(100);
    struct op_slice *slice = (struct op_slice *)((char *)coll + front);
    for (uint32_t i = 0; i < slices; i++)
        slice[i] = (struct op_slice){.to = (int32_t)below(5) - 1, .bytes = random_number()};
    memset(slice + slices, 0x5a, op_round(payload));
    op->call = CALL_Alltoallv;
    return op;
}

static struct op *random_op(void)
{
    struct op *op;
    switch (below(7)) {
    case 0:
        op = make_op(below(2) ? OP_WAIT : OP_TEST, 4 * 7);
        op->items = 7;
        for (uint32_t i = 0; i < op->items; i++)
            ((uint32_t *)(op + 1))[i] = (uint32_t)random_number();
        break;
    case 1:
        op = make_group_op(random_number(), (uint32_t)below(20), 3);
        break;
    case 2:
        op = make_coll_op((uint32_t)below(4), (uint32_t)below(4), 0);
        break;
    case 3:
        op = make_text_op(OP_TYPE, below(2) ? "MPI_DOUBLE" : "");
        break;
    case 4:
        op = make_op(OP_CRASH, 8 * 3);
        for (int i = 0; i < 3; i++)
            ((uint64_t *)(op + 1))[i] = random_number();
        break;
    default:
        op = make_op(below(2) ? OP_SEND : OP_RECV, 0);
    }
    if (op->kind != OP_WAIT && op->kind != OP_TEST)
        op->items = (uint32_t)random_number();
    op->call = (uint16_t)below(CALL_COUNT);
    op->thread = (uint8_t)(below(2) ? 0 : random_number());
    op->flags = (uint32_t)random_number();
    op->request = (uint32_t)random_number();
    op->peer = (rank_t)random_number();
    op->tag = (int32_t)random_number();
    op->context = random_number();
    op->place = random_number() >> below(64);
    op->bytes = random_number() >> below(64);
    op->count = (int64_t)random_number();
    op->type = (uint32_t)random_number();
    return op;
}

static struct expected random_record(int ranks)
{
    static uint64_t index[1000];
    struct expected it = {0};
    struct op_ref ref = {(rank_t)below((uint64_t)ranks), below(1000)};
    switch (below(6)) {
    case 0:
        it.record.kind = TRACE_MATCH;
        it.record.ref = ref;
        it.record.other = (struct op_ref){(rank_t)below((uint64_t)ranks), random_number()};
        break;
    case 1:
        it.record.kind = TRACE_RETURN;
        it.record.ret = (struct trace_return){.op = ref,
                                              .flag = below(2),
                                              .requests = (uint32_t)below(4),
                                              .source = (rank_t)random_number(),
                                              .tag = (int32_t)random_number(),
                                              .bytes = random_number()};
        it.requests = xcalloc(4, sizeof *it.requests);
        for (uint32_t i = 0; i < it.record.ret.requests; i++)
            it.requests[i] = (uint32_t)random_number();
        it.record.ret.request = it.requests;
        break;
    case 2:
        it.record.kind = TRACE_PLACE;
        it.record.place = (struct trace_place){.rank = ref.rank,
                                               .address = random_number(),
                                               .module = below(2) ? "/usr/lib/libfoo.so" : NULL,
                                               .offset = random_number(),
                                               .function = below(2) ? "main" : NULL,
                                               .file = below(2) ? "/home/me/ring.c" : NULL,
                                               .line = (int)random_number()};
        break;
    default:
        it.record.kind = TRACE_OP;
        it.op = random_op();
        it.record.op = it.op;
        it.record.ref = ref;
        if (below(20))
            it.record.ref.index = index[ref.rank]++;
    }
    return it;
}

static void write_record(struct trace_writer *writer, const struct trace_record *record)
{
    switch (record->kind) {
    case TRACE_OP:
        trace_op(writer, record->ref, record->op);
        break;
    case TRACE_MATCH:
        trace_match(writer, record->ref, record->other);
        break;
    case TRACE_RETURN:
        trace_return(writer, &record->ret);
        break;
    case TRACE_PLACE:
        trace_place(writer, &record->place);
        break;
    default:
        trace_end(writer, &record->end);
    }
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_ref(struct op_ref a, struct op_ref b)
{
    return a.rank == b.rank && a.index == b.index;
}

static bool same_op(const struct op *a, const struct op *b)
{
    struct op left = *a, right = *b;
    if (op_kind_tail(a->kind) == OP_TAIL_TEXT) {
        left.size = right.size = sizeof left;
        if (strcmp(op_tail(a), op_tail(b)) != 0)
            return false;
    }
    return memcmp(&left, &right, sizeof left) == 0 && memcmp(op_tail(a), op_tail(b), left.size - sizeof left) == 0;
}

static bool same_record(const struct trace_record *a, const struct trace_record *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case TRACE_OP:
        return same_ref(a->ref, b->ref) && same_op(a->op, b->op);
    case TRACE_MATCH:
        return same_ref(a->ref, b->ref) && same_ref(a->other, b->other);
    case TRACE_RETURN:
        return same_ref(a->ret.op, b->ret.op) && a->ret.flag == b->ret.flag && a->ret.requests == b->ret.requests &&
               (!a->ret.requests || memcmp(a->ret.request, b->ret.request, a->ret.requests * sizeof(uint32_t)) == 0) &&
               a->ret.source == b->ret.source && a->ret.tag == b->ret.tag && a->ret.bytes == b->ret.bytes;
    case TRACE_PLACE:
        return a->place.rank == b->place.rank && a->place.address == b->place.address &&
               a->place.offset == b->place.offset && a->place.line == b->place.line &&
               same_text(a->place.module, b->place.module) && same_text(a->place.function, b->place.function) &&
               same_text(a->place.file, b->place.file);
    case TRACE_END:
        return a->end.kind == b->end.kind && a->end.code == b->end.code && same_text(a->end.message, b->end.message);
    default:
        return true;
    }
}

static struct trace_writer *create(const char *to, int ranks)
{
    static char *const args[] = {"-x", "", "\xff\"\\ \n", NULL};
    struct trace_head head = {
        .program = "./ring", .mpi = "mpich", .argc = 3, .argv = args, .ranks = ranks, .buffering = "infinite"};
    struct trace_writer *writer = trace_create(to, &head);
    assert_non_null(writer);
    return writer;
}

/* Reads the file against the story: returns how it ended and how many records it gave. */
static enum trace_record_kind read_against(const char *from, const struct story *story, size_t *n)
{
    const char *error = NULL;
    struct trace_record record;
    struct trace_reader *reader = trace_open(from, &error);
    *n = 0;
    if (!reader) {
        assert_non_null(error);
        return TRACE_TORN;
    }
    enum trace_record_kind kind;
    while ((kind = trace_next(reader, &record)) != TRACE_EOF && kind != TRACE_TORN) {
        assert_true(*n < story->n);
        assert_true(same_record(&record, &story->at[*n].record));
        ++*n;
    }
    assert_int_equal(trace_next(reader, &record), kind);
    if (kind == TRACE_TORN)
        assert_non_null(strstr(trace_reader_torn(reader), "at byte"));
    trace_reader_close(reader);
    return kind;
}

static void write_story(struct story *story, size_t n, int ranks, size_t flush_every)
{
    struct trace_writer *writer = create(path, ranks);
    for (size_t i = 0; i < n; i++) {
        struct expected it = random_record(ranks);
        write_record(writer, &it.record);
        vec_push(story, it);
        if (flush_every && i % flush_every == flush_every - 1)
            trace_flush(writer);
    }
    struct expected last = {.record = {.kind = TRACE_END, .end = {TRACE_DEADLOCK, 1, "rank 0 waits for rank 1"}}};
    write_record(writer, &last.record);
    vec_push(story, last);
    assert_int_equal(trace_close(writer), 0);
}

static uint8_t *slurp(const char *from, size_t *n)
{
    FILE *file = fopen(from, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *n = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = xmalloc(*n + 1);
    assert_int_equal(fread(bytes, 1, *n, file), *n);
    bytes[*n] = 0;
    fclose(file);
    return bytes;
}

static void spill(const char *to, const void *bytes, size_t n)
{
    int fd = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n), n);
    close(fd);
}

static void test_round_trip(void **state)
{
    (void)state;
    const int sizes[] = {1, 4, 128, 1000};
    for (size_t i = 0; i < 4; i++) {
        struct story story = {0};
        size_t n;
        write_story(&story, 20000, sizes[i], i == 1 ? 100 : 0);
        assert_int_equal(read_against(path, &story, &n), TRACE_EOF);
        assert_int_equal(n, story.n);
        story_release(&story);
    }
}

static void test_head(void **state)
{
    (void)state;
    const char *error;
    assert_int_equal(trace_close(create(path, 7)), 0);
    struct trace_reader *reader = trace_open(path, &error);
    assert_non_null(reader);
    const struct trace_head *head = trace_reader_head(reader);
    assert_string_equal(head->program, "./ring");
    assert_string_equal(head->mpi, "mpich");
    assert_string_equal(head->buffering, "infinite");
    assert_int_equal(head->ranks, 7);
    assert_int_equal(head->argc, 3);
    assert_string_equal(head->argv[1], "");
    assert_string_equal(head->argv[2], "\xff\"\\ \n");
    struct trace_record record;
    assert_int_equal(trace_next(reader, &record), TRACE_EOF);
    trace_reader_close(reader);
}

static void test_payload_is_left_out(void **state)
{
    (void)state;
    const char *error;
    struct trace_record record;
    struct trace_writer *writer = create(path, 2);
    struct op *send = make_op(OP_SEND, 4096);
    memset(send + 1, 0x5a, 4096);
    send->bytes = 4096;
    send->payload = 77;
    struct op *coll = make_coll_op(3, 2, 4096);
    trace_op(writer, (struct op_ref){0, 0}, send);
    trace_op(writer, (struct op_ref){0, 1}, coll);
    assert_int_equal(trace_close(writer), 0);

    struct trace_reader *reader = trace_open(path, &error);
    assert_int_equal(trace_next(reader, &record), TRACE_OP);
    assert_int_equal(record.op->bytes, 4096);
    assert_int_equal(record.op->payload, 0);
    assert_int_equal(record.op->size, sizeof *send);
    assert_int_equal(trace_next(reader, &record), TRACE_OP);
    size_t lists = sizeof(struct op_coll) + 16 + 2 * sizeof(struct op_slice);
    assert_int_equal(op_tail_size(record.op), lists);
    assert_memory_equal(op_tail(record.op), op_tail(coll), lists);
    trace_reader_close(reader);
    free(send);
    free(coll);
}

/* A wild program can write to the lists that its rank reports. */
static void test_lying_tails(void **state)
{
    (void)state;
    const char *error;
    struct trace_record record;
    struct trace_writer *writer = create(path, 1);
    struct op *ops[] = {make_op(OP_WAIT, 8),     make_group_op(5, 2, 2), make_coll_op(2, 2, 0), make_op(OP_TYPE, 8),
                        make_op(OP_CONTEXT, 8),  make_op(OP_COLL, 8),    make_coll_op(2, 2, 0), make_op(OP_WAIT, 0),
                        make_op(OP_CONTEXT, 16), make_op(OP_SEND, 0)};
    ops[0]->items = UINT32_MAX;
    ((struct op_group *)(ops[1] + 1))->members = UINT32_MAX;
    ((struct op_coll *)(ops[2] + 1))->listed = UINT32_MAX;
    memset(ops[3] + 1, 'x', 8);
    ((struct op_coll *)(ops[6] + 1))->slices = UINT32_MAX;
    ops[7]->items = 9;
    ops[9]->size = 0;
    for (size_t i = 0; i < 10; i++)
        trace_op(writer, (struct op_ref){0, i}, ops[i]);
    assert_int_equal(trace_close(writer), 0);
    struct trace_reader *reader = trace_open(path, &error);
    for (size_t i = 0; i < 10; i++) {
        assert_int_equal(trace_next(reader, &record), TRACE_OP);
        assert_int_equal(record.op->kind, ops[i]->kind);
        if (i == 0)
            assert_int_equal(record.op->items, 2);
        if (i == 1)
            assert_int_equal(((const struct op_group *)op_tail(record.op))->members, 2);
        if (i == 3)
            assert_string_equal(op_tail(record.op), "xxxxxxxx");
        if (i == 7)
            assert_int_equal(record.op->items, 0);
        if (i == 4 || i == 8)
            assert_int_equal(op_tail_size(record.op), sizeof(struct op_group));
        if (i == 5)
            assert_int_equal(op_tail_size(record.op), sizeof(struct op_coll));
        if (i == 6)
            assert_int_equal(((const struct op_coll *)op_tail(record.op))->slices, 2);
        free(ops[i]);
    }
    assert_int_equal(trace_next(reader, &record), TRACE_EOF);
    trace_reader_close(reader);
}

static void test_record_longer_than_a_block(void **state)
{
    (void)state;
    struct story story = {0};
    struct trace_writer *writer = create(path, 2);
    for (uint32_t i = 0; i < 4; i++) {
        struct expected it = {.op = make_group_op(i, i % 2 ? 200000 : 3, 3)};
        it.record = (struct trace_record){.kind = TRACE_OP, .ref = {0, i}, .op = it.op};
        trace_op(writer, it.record.ref, it.op);
        vec_push(&story, it);
    }
    assert_int_equal(trace_close(writer), 0);
    size_t n;
    assert_int_equal(read_against(path, &story, &n), TRACE_EOF);
    assert_int_equal(n, 4);
    story_release(&story);
}

static void test_cut_anywhere(void **state)
{
    (void)state;
    struct story story = {0};
    size_t size, n, before = 0;
    write_story(&story, 60, 3, 7);
    uint8_t *bytes = slurp(path, &size);
    for (size_t length = 0; length < size; length++) {
        spill(other_path, bytes, length);
        assert_int_equal(read_against(other_path, &story, &n), TRACE_TORN);
        assert_true(n >= before && n < story.n + 1);
        before = n;
    }
    assert_int_equal(before, story.n);
    free(bytes);
    story_release(&story);
}

static void test_every_bit_flipped(void **state)
{
    (void)state;
    struct story story = {0};
    size_t size, n;
    write_story(&story, 16, 3, 5);
    uint8_t *bytes = slurp(path, &size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        spill(other_path, bytes, size);
        assert_int_equal(read_against(other_path, &story, &n), TRACE_TORN);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    /* Blocks that change places, or come twice, are noticed, too; so is more behind the end. */
    bytes = realloc(bytes, size + 1);
    bytes[size] = 0;
    spill(other_path, bytes, size + 1);
    assert_int_equal(read_against(other_path, &story, &n), TRACE_TORN);
    assert_int_equal(n, story.n);
    free(bytes);
    story_release(&story);
}

static void assert_no_trace(const void *bytes, size_t n, const char *why)
{
    const char *error = NULL;
    spill(other_path, bytes, n);
    assert_null(trace_open(other_path, &error));
    assert_string_equal(error, why);
}

static void test_not_a_trace(void **state)
{
    (void)state;
    const char *error = NULL;
    size_t size;
    assert_int_equal(trace_close(create(path, 1)), 0);
    uint8_t *bytes = slurp(path, &size);
    struct format_head head;
    memcpy(&head, bytes, sizeof head);

    assert_no_trace("", 0, "empty file, not an execution record");
    assert_no_trace("#!/bin/sh\nexit 0\n", 17, "not an execution record of tourney");
    assert_no_trace("x", 1, "not an execution record of tourney");
    assert_no_trace(bytes, 5, "execution record that ends in its head: nothing in it can be read");
    assert_no_trace(bytes, sizeof head + 1, "execution record that ends in its head: nothing in it can be read");

    struct format_head changed = head;
    changed.mark = __builtin_bswap32(head.mark);
    assert_no_trace(&changed, sizeof changed, "execution record from a machine with another byte order: read it there");
    for (uint32_t version = 0; version <= 2; version += 2) {
        changed = head;
        changed.version = version;
        changed.length = 0;
        changed.sum = format_sum(0, &changed, offsetof(struct format_head, sum));
        assert_no_trace(&changed, sizeof changed,
                        version ? "execution record in a newer format than this tourney knows: use a newer tourney"
                                : "execution record in an older format: use the tourney that wrote it");
    }
    changed = head;
    changed.length = UINT32_MAX;
    assert_no_trace(&changed, sizeof changed, "execution record with a damaged head");

    assert_null(trace_open(folder, &error));
    assert_string_equal(error, strerror(EISDIR));
    assert_null(trace_open("/nonexistent/trace", &error));
    assert_string_equal(error, strerror(ENOENT));
    struct trace_head about = {.program = "p", .ranks = 1};
    assert_null(trace_create("/nonexistent/trace", &about));
    assert_int_equal(errno, ENOENT);
    free(bytes);
}

/* A file with one block of these records, all checksums right. */
static void write_block(const uint8_t *raw, size_t n)
{
    size_t size;
    assert_int_equal(trace_close(create(path, 3)), 0);
    uint8_t *bytes = slurp(path, &size);
    struct format_block block = {.number = 0, .stored = (uint32_t)n, .raw = (uint32_t)n};
    block.sum = format_sum(format_sum(0, &block, offsetof(struct format_block, sum)), raw, n);
    size -= sizeof block;
    bytes = xrealloc(bytes, size + sizeof block + n, 1);
    memcpy(bytes + size, &block, sizeof block);
    memcpy(bytes + size + sizeof block, raw, n);
    spill(other_path, bytes, size + sizeof block + n);
    free(bytes);
}

static uint64_t touch(const struct trace_record *record)
{
    uint64_t sum = (uint64_t)record->kind;
    if (record->kind == TRACE_OP) {
        assert_in_range(record->ref.rank, 0, 2);
        assert_true(record->op->kind < OP_KINDS);
        for (uint32_t i = 0; i < record->op->size; i++)
            sum += ((const uint8_t *)record->op)[i];
    }
    for (uint32_t i = 0; i < record->ret.requests; i++)
        sum += record->ret.request[i];
    return sum + (record->place.file ? strlen(record->place.file) : 0) +
           (record->end.message ? strlen(record->end.message) : 0);
}

/* Right checksums prove nothing: records of garbage, and good records with a few bytes changed. */
static void test_malicious_records(void **state)
{
    (void)state;
    uint8_t good[4096];
    struct trace_record record;
    const char *error;
    size_t size;
    struct trace_writer *writer = create(path, 3);
    for (int i = 0; i < 12; i++) {
        struct expected it = random_record(3);
        write_record(writer, &it.record);
        free(it.op);
        free(it.requests);
    }
    assert_int_equal(trace_close(writer), 0);
    uint8_t *file = slurp(path, &size);
    struct format_head head;
    struct format_block block;
    memcpy(&head, file, sizeof head);
    memcpy(&block, file + sizeof head + head.length, sizeof block);
    const uint8_t *stored = file + sizeof head + head.length + sizeof block;
    assert_in_range(block.raw, 100, sizeof good);
    if (block.stored == block.raw)
        memcpy(good, stored, block.raw);
    else
        assert_int_equal(ZSTD_decompress(good, sizeof good, stored, block.stored), block.raw);
    free(file);
    uint64_t sum = 0;
    FILE *nowhere = fopen("/dev/null", "w");
    int saved = dup(2);
    for (int round = 0; round < 1000; round++) {
        uint8_t bytes[4096];
        size_t n = block.raw;
        memcpy(bytes, good, n);
        if (round % 2)
            for (size_t i = 0; i < n; i++)
                bytes[i] = below(3) ? (uint8_t)random_number() : (uint8_t)below(8);
        for (uint64_t i = below(4); i > 0; i--)
            bytes[below(n)] = (uint8_t)random_number();
        write_block(bytes, n - below(n));
        struct trace_reader *reader = trace_open(other_path, &error);
        assert_non_null(reader);
        while (trace_next(reader, &record) != TRACE_EOF && record.kind != TRACE_TORN)
            sum += touch(&record);
        assert_int_equal(record.kind, TRACE_TORN);
        trace_reader_close(reader);
        dup2(fileno(nowhere), 2);
        int code = trace_dump(other_path, round % 4 / 2, nowhere);
        dup2(saved, 2);
        assert_int_equal(code, 3);
    }
    fclose(nowhere);
    close(saved);
    assert_true(sum > 0);
}

/* Numbers of calls belong to the file that names them. */
static void test_calls_by_name(void **state)
{
    (void)state;
    uint8_t raw[64], *at = raw;
    const char *error;
    struct trace_record record;
    *at++ = RECORD_CALL;
    at = format_put(at, 60000);
    at = format_put(at, sizeof "MPI_Ssend");
    at = mempcpy(at, "MPI_Ssend", sizeof "MPI_Ssend");
    *at++ = RECORD_OP;
    at = format_put(at, 1);
    *at++ = 1 << FORMAT_BIT_kind | 1 << FORMAT_BIT_call;
    *at++ = 0;
    at = format_put(at, format_fold(OP_SEND));
    at = format_put(at, format_fold(60000));
    write_block(raw, (size_t)(at - raw));
    struct trace_reader *reader = trace_open(other_path, &error);
    assert_int_equal(trace_next(reader, &record), TRACE_OP);
    assert_int_equal(record.op->call, CALL_Ssend);
    assert_int_equal(trace_next(reader, &record), TRACE_TORN); /* never closed */
    trace_reader_close(reader);
}

static void test_disk_full(void **state)
{
    (void)state;
    struct trace_writer *writer = create("/dev/full", 2);
    struct op *op = make_op(OP_SEND, 0);
    for (uint64_t i = 0; i < 200000; i++)
        trace_op(writer, (struct op_ref){0, i}, op);
    errno = 0;
    assert_int_equal(trace_close(writer), -1);
    assert_int_equal(errno, ENOSPC);
    free(op);
}

/* What was written before the disk was full is there. */
static void test_file_too_large(void **state)
{
    (void)state;
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        struct rlimit limit = {20000, 20000};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        struct trace_writer *writer = create(path, 2);
        struct op *op = make_op(OP_SEND, 0);
        for (uint64_t i = 0; i < 50000; i++) {
            op->place = random_number();
            trace_op(writer, (struct op_ref){0, i}, op);
            if (i % 100 == 0)
                trace_flush(writer);
        }
        _exit(trace_close(writer) == -1 && errno == EFBIG ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    const char *error;
    struct trace_record record;
    struct trace_reader *reader = trace_open(path, &error);
    uint64_t n = 0;
    while (trace_next(reader, &record) == TRACE_OP)
        assert_int_equal(record.ref.index, n++);
    assert_int_equal(record.kind, TRACE_TORN);
    assert_true(n > 1000);
    trace_reader_close(reader);
}

static void test_killed_writer(void **state)
{
    (void)state;
    int pipe_fd[2], status;
    char byte;
    assert_int_equal(pipe(pipe_fd), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct trace_writer *writer = create(path, 2);
        struct op *op = make_op(OP_SEND, 0);
        for (uint64_t i = 0;; i++) {
            op->place = random_number();
            trace_op(writer, (struct op_ref){0, i}, op);
            if (i == 20000) {
                trace_flush(writer);
                if (write(pipe_fd[1], "x", 1) != 1)
                    _exit(1);
            }
        }
    }
    assert_int_equal(read(pipe_fd[0], &byte, 1), 1);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    close(pipe_fd[0]);
    close(pipe_fd[1]);
    const char *error;
    struct trace_record record;
    struct trace_reader *reader = trace_open(path, &error);
    uint64_t n = 0;
    while (trace_next(reader, &record) == TRACE_OP)
        assert_int_equal(record.ref.index, n++);
    assert_int_equal(record.kind, TRACE_TORN);
    assert_true(n > 20000);
    trace_reader_close(reader);
}

/* Runs trace_dump with its output and stderr in files; returns its code. */
static int dump(bool json, char **out, char **err)
{
    char out_path[80], err_path[80];
    size_t n;
    snprintf(out_path, sizeof out_path, "%s/out", folder);
    snprintf(err_path, sizeof err_path, "%s/err", folder);
    fflush(stderr);
    int saved = dup(2), fd = open(err_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(fd, 2);
    FILE *file = fopen(out_path, "w");
    int code = trace_dump(path, json, file);
    fclose(file);
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    close(fd);
    *out = (char *)slurp(out_path, &n);
    *err = (char *)slurp(err_path, &n);
    return code;
}

static struct op *point_to_point(enum op_kind kind, enum call call, rank_t peer, int tag, uint32_t flags)
{
    struct op *op = make_op(kind, 0);
    op->call = (uint16_t)call;
    op->peer = peer;
    op->tag = tag;
    op->flags = flags;
    op->context = 1;
    op->bytes = 40;
    op->count = 10;
    op->type = 3;
    return op;
}

static void put(struct trace_writer *writer, rank_t rank, uint64_t index, struct op *op)
{
    trace_op(writer, (struct op_ref){rank, index}, op);
    free(op);
}

static void write_small_run(bool close_it)
{
    struct trace_writer *writer = create(path, 2);
    struct op *op;
    put(writer, 0, 0, make_group_op(1, 2, 2));
    op = make_text_op(OP_CONTEXT_NAME, "MPI_COMM_WORLD");
    op->context = 1;
    put(writer, 0, 1, op);
    op = make_text_op(OP_CONTEXT_NAME, "evil\x1b[2J\"\xff\xc3\xa9");
    op->context = 0xffffffffffffffff;
    put(writer, 0, 2, op);
    for (rank_t rank = 0; rank < 2; rank++) {
        op = make_text_op(OP_TYPE, "MPI_INT");
        op->type = 3;
        put(writer, rank, rank ? 0 : 3, op);
    }
    op = point_to_point(OP_RECV, CALL_Recv, RANK_ANY, TAG_ANY, OPF_BLOCKING);
    op->place = 0x401234;
    put(writer, 1, 1, op);
    op = point_to_point(OP_SEND, CALL_Isend, 1, 5, 0);
    op->request = 9;
    put(writer, 0, 4, op);
    trace_match(writer, (struct op_ref){0, 4}, (struct op_ref){1, 1});
    trace_return(writer, &(struct trace_return){.op = {1, 1}, .source = 0, .tag = 5, .bytes = 40});
    op = make_op(OP_TEST, 4);
    op->call = CALL_Test;
    op->items = 1;
    *(uint32_t *)(op + 1) = 9;
    put(writer, 0, 5, op);
    trace_return(writer, &(struct trace_return){.op = {0, 5}, .source = RANK_NONE});
    op = make_op(OP_WAIT, 20);
    op->call = CALL_Waitany;
    op->flags = OPF_ANY;
    op->items = 5;
    for (uint32_t i = 0; i < 5; i++)
        ((uint32_t *)(op + 1))[i] = i < 3 ? 7 + i : 20 + 2 * i;
    put(writer, 0, 6, op);
    trace_return(writer,
                 &(struct trace_return){.op = {0, 6}, .requests = 1, .request = (uint32_t[]){9}, .source = RANK_NONE});
    op = point_to_point(OP_IPROBE, CALL_Iprobe, RANK_ANY, 4, 0);
    put(writer, 0, 7, op);
    trace_return(writer, &(struct trace_return){.op = {0, 7}, .flag = true, .source = 1, .tag = 4, .bytes = 8});
    op = make_coll_op(0, 1, 0);
    op->call = CALL_Bcast;
    op->peer = 0;
    op->tag = 3;
    op->context = 0xffffffffffffffff;
    op->flags = OPF_BLOCKING;
    ((struct op_slice *)((struct op_coll *)(op + 1) + 1))->bytes = 12;
    put(writer, 1, 2, op);
    trace_place(writer, &(struct trace_place){1, 0x401234, "/home/me/ring", 0x1234, "main", "/home/me/ring.c", 41});
    trace_end(writer, &(struct trace_end){TRACE_DEADLOCK, 1, "no rank can go on"});
    trace_flush(writer);
    if (close_it) {
        assert_int_equal(trace_close(writer), 0);
        return;
    }
    size_t n;
    assert_int_equal(trace_close(writer), 0);
    free(slurp(path, &n));
    assert_int_equal(truncate(path, (off_t)(n - 20)), 0);
}

static void test_dump_text(void **state)
{
    (void)state;
    char *out, *err;
    write_small_run(true);
    assert_int_equal(dump(false, &out, &err), 0);
    assert_string_equal(err, "");
    const char *expected =
        "program   ./ring -x '' '\\xff\"\\ \\x0a'\n"
        "ranks     2\n"
        "mpi       mpich\n"
        "buffering infinite\n"
        "\n"
        "0.0      (communicator) comm=0x1 members=0,1\n"
        "0.1      (comm. name)   comm=0x1 name=\"MPI_COMM_WORLD\"\n"
        "0.2      (comm. name)   comm=0xffffffffffffffff name=\"evil\\x1b[2J\"\\xff\xc3\xa9\"\n"
        "0.3      (datatype)     type=3 name=\"MPI_INT\"\n"
        "1.0      (datatype)     type=3 name=\"MPI_INT\"\n"
        "1.1      MPI_Recv       source=any tag=any comm=MPI_COMM_WORLD count=10 type=MPI_INT <- 0.4     "
        "ring.c:41 in main\n"
        "0.4      MPI_Isend      dest=1 tag=5 comm=MPI_COMM_WORLD count=10 type=MPI_INT request=9 -> 1.1\n"
        "0.5      MPI_Test       requests=9                                                = no\n"
        "0.6      MPI_Waitany    requests=7-9,26,28                                        = 9\n"
        "0.7      MPI_Iprobe     source=any tag=4 comm=MPI_COMM_WORLD                      "
        "= yes source=1 tag=4 bytes=8\n"
        "1.2      MPI_Bcast      root=0 comm=evil\\x1b[2J\"\\xff\xc3\xa9 turn=3                      "
        "(never returned)\n"
        "\n"
        "end       deadlock, exit code 1: no rank can go on\n";
    assert_string_equal(out, expected);
    free(out);
    free(err);
}

/* An independent reader of JSON judges the last dump: `d` is the document, `r` its records. */
static void assert_json(const char *condition)
{
    char command[2000];
    snprintf(command, sizeof command,
             "python3 - <<'END'\n"
             "import json\n"
             "d = json.loads(open('%s/out', 'rb').read().decode('utf-8'))\n"
             "r = d['records']\n"
             "assert %s\n"
             "END",
             folder, condition);
    assert_int_equal(system(command), 0);
}

static void test_dump_json(void **state)
{
    (void)state;
    char *out, *err;
    write_small_run(true);
    assert_int_equal(dump(true, &out, &err), 0);
    assert_string_equal(err, "");
    assert_json("d['ranks'] == 2 and d['torn'] is None and d['args'] == ['-x', '', '\\ufffd\"\\\\ \\n']");
    assert_json("r[2]['name'] == 'evil\\x1b[2J\"\\ufffd\\u00e9' and r[2]['context'] == '0xffffffffffffffff'");
    assert_json("r[5]['call'] == 'MPI_Recv' and r[5]['peer'] == r[5]['tag'] == 'any' and r[5]['flags'] == ['blocking']");
    assert_json("[x['requests'] for x in r if x['record'] == 'op' and x['kind'] == 'wait'] == [[7, 8, 9, 26, 28]]");
    assert_json("[x['send'] for x in r if x['record'] == 'match'] == [{'rank': 0, 'index': 4}]");
    assert_json("[x['line'] for x in r if x['record'] == 'place'] == [41] and r[-1]['kind'] == 'deadlock'");
    free(out);
    free(err);
}

static void test_dump_of_everything(void **state)
{
    (void)state;
    struct story story = {0};
    char *out, *err, condition[50];
    write_story(&story, 2000, 3, 0);
    assert_int_equal(dump(true, &out, &err), 0);
    snprintf(condition, sizeof condition, "len(r) == %zu", story.n);
    assert_json(condition);
    free(out);
    free(err);
    assert_int_equal(dump(false, &out, &err), 0);
    free(out);
    free(err);
    story_release(&story);
}

static void test_dump_torn(void **state)
{
    (void)state;
    char *out, *err, line[200];
    struct stat status;
    write_small_run(false);
    stat(path, &status);
    snprintf(line, sizeof line, "tourney: %s: ends in the middle of a block at byte %ld; everything before it was read\n",
             path, (long)status.st_size);
    assert_int_equal(dump(false, &out, &err), 3);
    assert_string_equal(err, line);
    free(out);
    free(err);
    assert_int_equal(dump(true, &out, &err), 3);
    assert_string_equal(err, line);
    assert_json("d['torn'].startswith('ends in the middle of a block at byte')");
    free(out);
    free(err);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(dump(false, &out, &err), 3);
    snprintf(line, sizeof line, "tourney: %s: %s\n", path, strerror(ENOENT));
    assert_string_equal(err, line);
    assert_string_equal(out, "");
    free(out);
    free(err);
}

static void test_dump_into_broken_pipe(void **state)
{
    (void)state;
    int fd[2];
    struct story story = {0};
    write_story(&story, 20000, 3, 0);
    for (int json = 0; json < 2; json++) {
        assert_int_equal(pipe(fd), 0);
        close(fd[0]);
        FILE *out = fdopen(fd[1], "w");
        assert_int_equal(trace_dump(path, json, out), 0);
        fclose(out);
    }
    story_release(&story);
}

static void test_dump_into_full_disk(void **state)
{
    (void)state;
    FILE *out = fopen("/dev/full", "w");
    int saved = dup(2), null = open("/dev/null", O_WRONLY);
    write_small_run(true);
    dup2(null, 2);
    int code = trace_dump(path, true, out);
    dup2(saved, 2);
    close(saved);
    close(null);
    fclose(out);
    assert_int_equal(code, 3);
}

static void test_place_format(void **state)
{
    (void)state;
    char buf[100];
    struct trace_place place = {0, 0x7f0012345678, "/lib/libfoo.so", 0x2f10, "exchange+0x1c", "/src/ring.c", 41};
    place.function = "main";
    assert_string_equal(trace_place_format(&place, buf, sizeof buf), "ring.c:41 in main");
    place.function = NULL;
    assert_string_equal(trace_place_format(&place, buf, sizeof buf), "ring.c:41");
    place.line = 0;
    assert_string_equal(trace_place_format(&place, buf, sizeof buf), "0x2f10 in libfoo.so");
    place.function = "exchange+0x1c";
    assert_string_equal(trace_place_format(&place, buf, sizeof buf), "exchange+0x1c in libfoo.so");
    place.function = place.module = NULL;
    assert_string_equal(trace_place_format(&place, buf, sizeof buf), "0x7f0012345678");
    assert_string_equal(trace_place_format(&place, buf, 5), "0x7f");
}

static void test_sum(void **state)
{
    (void)state;
    assert_int_equal(format_sum(0, "123456789", 9), 0xe3069283);
    assert_int_equal(format_sum(format_sum(0, "12345", 5), "6789", 4), 0xe3069283);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder) && !mkdtemp(strcpy(folder, "/tmp/test_trace.XXXXXX")))
        return -1;
    snprintf(path, sizeof path, "%s/trace", folder);
    snprintf(other_path, sizeof other_path, "%s/other", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum),
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_payload_is_left_out),
        cmocka_unit_test(test_lying_tails),
        cmocka_unit_test(test_record_longer_than_a_block),
        cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_every_bit_flipped),
        cmocka_unit_test(test_not_a_trace),
        cmocka_unit_test(test_malicious_records),
        cmocka_unit_test(test_calls_by_name),
        cmocka_unit_test(test_disk_full),
        cmocka_unit_test(test_file_too_large),
        cmocka_unit_test(test_killed_writer),
        cmocka_unit_test(test_dump_text),
        cmocka_unit_test(test_dump_json),
        cmocka_unit_test(test_dump_of_everything),
        cmocka_unit_test(test_dump_torn),
        cmocka_unit_test(test_dump_into_broken_pipe),
        cmocka_unit_test(test_dump_into_full_disk),
        cmocka_unit_test(test_place_format),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
