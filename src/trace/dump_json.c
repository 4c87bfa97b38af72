#include <inttypes.h>

#include "call/calls.h"
#include "trace/dump.h"
#include "trace/format.h"
#include "base/utf8.h"

/* What is not text becomes U+FFFD: JSON has no other way. */
static void text(FILE *out, const char *at)
{
    if (!at) {
        fputs("null", out);
        return;
    }
    putc('"', out);
    while (*at) {
        uint32_t point = 0;
        int length = utf8_next(at, &point);
        if (length == 0)
            fputs("\\ufffd", out);
        else if (point == '"' || point == '\\')
            fprintf(out, "\\%c", (int)point);
        else if (point < 0x20 || point == 0x7f)
            fprintf(out, "\\u%04x", (unsigned)point);
        else
            fwrite(at, 1, (size_t)length, out);
        at += length ? length : 1;
    }
    putc('"', out);
}

static void member_text(FILE *out, const char *name, const char *value)
{
    fprintf(out, ",\"%s\":", name);
    text(out, value);
}

static void member(FILE *out, const char *name, int64_t value)
{
    fprintf(out, ",\"%s\":%" PRId64, name, value);
}

static void member_size(FILE *out, const char *name, uint64_t value)
{
    fprintf(out, ",\"%s\":%" PRIu64, name, value);
}

/* Contexts and addresses use all 64 bits, which many readers of JSON do not keep in a number. */
static void member_hex(FILE *out, const char *name, uint64_t value)
{
    fprintf(out, ",\"%s\":\"0x%" PRIx64 "\"", name, value);
}

static void member_rank(FILE *out, const char *name, rank_t rank)
{
    if (rank == RANK_ANY)
        member_text(out, name, "any");
    else if (rank == RANK_NONE)
        member_text(out, name, NULL);
    else
        member(out, name, rank);
}

static void member_numbers(FILE *out, const char *name, const uint32_t *number, size_t n)
{
    fprintf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%" PRIu32, i ? "," : "", number[i]);
    putc(']', out);
}

static void member_ref(FILE *out, const char *name, struct op_ref ref)
{
    fprintf(out, ",\"%s\":{\"rank\":%d,\"index\":%" PRIu64 "}", name, (int)ref.rank, ref.index);
}

static void flags(FILE *out, uint32_t set)
{
    static const char *const name[] = {"blocking", "synchronous", "buffered", "ready",  "any",
                                       "some",     "take",        "went_on",  "ordered", "attached"};
    const char *comma = "";
    fputs(",\"flags\":[", out);
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        if (set >> i & 1) {
            fprintf(out, "%s\"%s\"", comma, name[i]);
            comma = ",";
        }
    }
    putc(']', out);
}

static void coll(FILE *out, const struct op_coll *coll)
{
    const struct op_slice *slice = op_coll_slices(coll);
    member(out, "from", coll->from);
    member(out, "until", coll->until);
    member_numbers(out, "listed", op_coll_list(coll), coll->listed);
    fputs(",\"slices\":[", out);
    for (uint32_t i = 0; i < coll->slices; i++) {
        fprintf(out, "%s{\"to\":", i ? "," : "");
        if (slice[i].to == SLICE_FOR_ALL)
            fputs("\"all\"", out);
        else
            fprintf(out, "%d", (int)slice[i].to);
        member_size(out, "bytes", slice[i].bytes);
        putc('}', out);
    }
    putc(']', out);
}

static void stack(FILE *out, const uint64_t *frame, size_t n)
{
    fputs(",\"stack\":[", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s\"0x%" PRIx64 "\"", i ? "," : "", frame[i]);
    putc(']', out);
}

static void tail(FILE *out, const struct op *op)
{
    const struct op_group *group = op_tail(op);
    switch (op_kind_tail(op->kind)) {
    case OP_TAIL_NONE:
        break;
    case OP_TAIL_NUMBERS:
        member_numbers(out, "requests", op_tail(op), op->items);
        break;
    case OP_TAIL_GROUP:
        member_hex(out, "parent", group->parent);
        member(out, "first_group", group->first_group);
        member_numbers(out, "members", (const uint32_t *)group->member, group->members);
        break;
    case OP_TAIL_COLL:
        coll(out, op_tail(op));
        break;
    case OP_TAIL_TEXT:
        member_text(out, op->kind == OP_ERROR || op->kind == OP_COMPLAINT ? "message" : "name", op_tail(op));
        break;
    case OP_TAIL_STACK:
        stack(out, op_tail(op), op_tail_size(op) / sizeof(uint64_t));
        break;
    }
}

static void operation(FILE *out, struct op_ref ref, const struct op *op)
{
    fprintf(out, "{\"record\":\"op\",\"rank\":%d,\"index\":%" PRIu64, (int)ref.rank, ref.index);
    member_text(out, "kind", op_record_name[op->kind] ? op_record_name[op->kind] : "unknown");
    member_text(out, "call", op->call == CALL_NONE ? NULL : call_name(op->call));
    if (op->thread)
        member(out, "thread", op->thread);
    flags(out, op->flags);
    member(out, "request", op->request);
    member_rank(out, "peer", op->peer);
    if (op->tag == TAG_ANY && (op->kind == OP_RECV || op_probes(op)))
        member_text(out, "tag", "any");
    else
        member(out, "tag", op->tag);
    member_hex(out, "context", op->context);
    member_hex(out, "place", op->place);
    member_size(out, "bytes", op->bytes);
    member(out, "count", op->count);
    member(out, "type", op->type);
    tail(out, op);
    putc('}', out);
}

static void returned(FILE *out, const struct trace_return *ret)
{
    fprintf(out, "{\"record\":\"return\",\"rank\":%d,\"index\":%" PRIu64, (int)ret->op.rank, ret->op.index);
    fprintf(out, ",\"flag\":%s", ret->flag ? "true" : "false");
    member_numbers(out, "requests", ret->request, ret->requests);
    member_rank(out, "source", ret->source);
    member(out, "tag", ret->tag);
    member_size(out, "bytes", ret->bytes);
    putc('}', out);
}

static void place(FILE *out, const struct trace_place *place)
{
    fprintf(out, "{\"record\":\"place\",\"rank\":%d", (int)place->rank);
    member_hex(out, "address", place->address);
    member_text(out, "module", place->module);
    member_hex(out, "offset", place->offset);
    member_text(out, "function", place->function);
    member_text(out, "file", place->file);
    member(out, "line", place->line);
    putc('}', out);
}

static void json_end(FILE *out, const struct trace_end *end)
{
    static const char *const name[] = {"ended", "deadlock", "crash", "abort", "error", "stopped"};
    fputs("{\"record\":\"end\"", out);
    member_text(out, "kind", name[end->kind]);
    member(out, "code", end->code);
    member_text(out, "message", end->message);
    putc('}', out);
}

static void one_record(FILE *out, const struct trace_record *record)
{
    switch (record->kind) {
    case TRACE_OP:
        operation(out, record->ref, record->op);
        break;
    case TRACE_MATCH:
        fputs("{\"record\":\"match\"", out);
        member_ref(out, "send", record->ref);
        member_ref(out, "recv", record->other);
        putc('}', out);
        break;
    case TRACE_RETURN:
        returned(out, &record->ret);
        break;
    case TRACE_PLACE:
        place(out, &record->place);
        break;
    case TRACE_END:
        json_end(out, &record->end);
        break;
    case TRACE_EOF:
    case TRACE_TORN:
        break;
    }
}

static void head(FILE *out, const struct trace_head *head)
{
    fprintf(out, "{\"format\":\"tourney execution record\",\"version\":%d", FORMAT_VERSION);
    member_text(out, "program", head->program);
    fputs(",\"args\":[", out);
    for (int i = 0; i < head->argc; i++) {
        if (i)
            putc(',', out);
        text(out, head->argv[i]);
    }
    putc(']', out);
    member(out, "ranks", head->ranks);
    member_text(out, "mpi", head->mpi);
    member_text(out, "buffering", head->buffering);
}

enum trace_record_kind dump_json(struct trace_reader *reader, FILE *out)
{
    struct trace_record record;
    enum trace_record_kind kind;
    const char *comma = "";
    head(out, trace_reader_head(reader));
    fputs(",\"records\":[", out);
    while ((kind = trace_next(reader, &record)) != TRACE_EOF && kind != TRACE_TORN && !ferror(out)) {
        fprintf(out, "%s\n", comma);
        one_record(out, &record);
        comma = ",";
    }
    fputs("\n]", out);
    member_text(out, "torn", kind == TRACE_TORN ? trace_reader_torn(reader) : NULL);
    fputs("}\n", out);
    return kind;
}
