/*
 * An execution as text, a line per operation with what became of it.  That
 * stands further down in the file, so the file is read twice.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "call/calls.h"
#include "call/complaint.h"
#include "trace/ahead.h"
#include "trace/dump.h"
#include "trace/line.h"

enum { REF_WIDTH = 8, CALL_WIDTH = 14, ARGS_WIDTH = 58, OUTCOME_WIDTH = 10 };

struct text_dump {
    FILE *out;
    struct line line; /* owns */
    struct ahead ahead;
    struct map context_of; /* in `names` */
    struct map type_of;    /* by rank and number */
    VEC(char *) names;     /* owns; as given so far */
};

static void set_name(struct text_dump *text, struct map *map, struct map_key key, const char *name)
{
    uint32_t number = map_find(map, key, (uint32_t)text->names.n);
    if (number == text->names.n) {
        vec_push(&text->names, NULL);
        map_put(map, key, number);
    }
    free(text->names.at[number]);
    text->names.at[number] = clean_text(name);
}

static const char *known_name(const struct text_dump *text, const struct map *map, struct map_key key)
{
    uint32_t number;
    return map_get(map, key, &number) ? text->names.at[number] : NULL;
}

static void learn_names(struct text_dump *text, rank_t rank, const struct op *op)
{
    if (op->kind == OP_CONTEXT_NAME)
        set_name(text, &text->context_of, map_key(op->context), op_tail(op));
    if (op->kind == OP_TYPE)
        set_name(text, &text->type_of, map_key2((uint64_t)rank, op->type), op_tail(op));
}

static void add_labelled_rank(struct line *line, const char *label, rank_t rank)
{
    if (rank == RANK_ANY)
        line_add(line, " %s=any", label);
    else if (rank == RANK_NONE)
        line_add(line, " %s=none", label);
    else
        line_add(line, " %s=%d", label, (int)rank);
}

static void add_tag(struct line *line, int32_t tag)
{
    if (tag == TAG_ANY)
        line_add(line, " tag=any");
    else
        line_add(line, " tag=%d", (int)tag);
}

static void add_comm(const struct text_dump *text, struct line *line, context_t context)
{
    const char *known = known_name(text, &text->context_of, map_key(context));
    if (known)
        line_add(line, " comm=%s", known);
    else
        line_add(line, " comm=0x%" PRIx64, context);
}

static void add_data(const struct text_dump *text, struct line *line, rank_t rank, const struct op *op)
{
    const char *type = known_name(text, &text->type_of, map_key2((uint64_t)rank, op->type));
    if (type)
        line_add(line, " count=%" PRId64 " type=%s", op->count, type);
    else if (op->type)
        line_add(line, " count=%" PRId64 " type=%" PRIu32, op->count, op->type);
    else if (op->bytes)
        line_add(line, " bytes=%" PRIu64, op->bytes);
}

static void add_code_place(const struct text_dump *text, struct line *line, rank_t rank, uint64_t address)
{
    const char *known = ahead_place(&text->ahead, rank, address);
    if (known)
        line_add(line, "%s", known);
    else
        line_add(line, "0x%" PRIx64, address);
}

static void add_crash_stack(const struct text_dump *text, struct line *line, rank_t rank, const struct op *op)
{
    const char *signal_name = sigabbrev_np(op->code);
    const uint64_t *frame = op_tail(op);
    size_t n = op_tail_size(op) / sizeof *frame;
    if (signal_name)
        line_add(line, " signal=SIG%s", signal_name);
    else
        line_add(line, " signal=%d", (int)op->code);
    for (size_t i = 0; i < n; i++) {
        line_add(line, i ? " < " : " at ");
        add_code_place(text, line, rank, frame[i]);
    }
}

static void add_quoted(struct line *line, const char *label, const struct op *op)
{
    line_add(line, " %s=\"", label);
    line_add_clean(line, op_tail(op));
    line_add(line, "\"");
}

static void add_comm_members(const struct text_dump *text, struct line *line, const struct op *op)
{
    const struct op_group *group = op_tail(op);
    add_comm(text, line, op->context);
    uint32_t first = group->first_group < group->members ? group->first_group : group->members;
    line_add(line, " members=");
    line_add_list(line, (const uint32_t *)group->member, first);
    if (first < group->members) {
        line_add(line, " and ");
        line_add_list(line, (const uint32_t *)group->member + first, group->members - first);
    }
}

static void add_args(const struct text_dump *text, struct line *line, rank_t rank, const struct op *op)
{
    const char *label;
    switch ((enum op_kind)op->kind) {
    case OP_SEND:
    case OP_RECV:
        add_labelled_rank(line, op->kind == OP_SEND ? "dest" : "source", op->peer);
        add_tag(line, op->tag);
        add_comm(text, line, op->context);
        add_data(text, line, rank, op);
        break;
    case OP_PROBE:
    case OP_IPROBE:
        add_labelled_rank(line, "source", op->peer);
        add_tag(line, op->tag);
        add_comm(text, line, op->context);
        break;
    case OP_COLL:
        label = call_peer_label(op->call);
        if (label && op->peer != RANK_NONE)
            add_labelled_rank(line, label, op->peer);
        add_comm(text, line, op->context);
        line_add(line, " turn=%d", (int)op->turn);
        add_data(text, line, rank, op);
        break;
    case OP_WAIT:
    case OP_TEST:
        line_add(line, " requests=");
        line_add_list(line, op_tail(op), op->items);
        break;
    case OP_CHOOSE:
        line_add(line, " alternatives=%" PRIu32, op->items);
        add_quoted(line, "of", op);
        break;
    case OP_CONTEXT:
        add_comm_members(text, line, op);
        break;
    case OP_CONTEXT_LEFT:
        add_comm(text, line, op->context);
        break;
    case OP_CONTEXT_NAME:
        line_add(line, " comm=0x%" PRIx64, op->context);
        add_quoted(line, "name", op);
        break;
    case OP_TYPE:
        line_add(line, " type=%" PRIu32, op->type);
        add_quoted(line, "name", op);
        break;
    OP_CASES(OP_SERVICES)
    case OP_ATTACHED:
        line_add(line, " bytes=%" PRIu64, op->room);
        break;
    case OP_PCONTROL:
        line_add(line, " level=%d", (int)op->level);
        break;
    case OP_ABORT:
        line_add(line, " code=%d", (int)op->code);
        break;
    case OP_ERROR:
        line_add(line, " class=%d", (int)op->code);
        add_quoted(line, "message", op);
        break;
    case OP_COMPLAINT:
        line_add(line, " %s", complaint_name(op->complaint));
        add_quoted(line, "text", op);
        break;
    case OP_DONE:
        line_add(line, " complete");
        break;
    case OP_CRASH:
        add_crash_stack(text, line, rank, op);
        break;
        line_add(line, " tenure=%d", (int)op->tenure);
        break;
    case OP_WINDOW: /* of these, a record has what was done at a window (WINDOW_DONE) */
        add_labelled_rank(line, "target", op->peer);
        add_comm(text, line, op->context);
        break;
    case OP_REFUSED:
    case OP_UNSTARTED:
    case OP_TENURE:
    case OP_ACCESS:
    OP_CASES(OP_FILE_REMARKS)
    case OP_CANCEL:
    case OP_FREE:
    case OP_TAKEN:
    OP_CASES(OP_LIFE)
        break;
    }
    if (op->thread)
        line_add(line, " thread=%u", op->thread);
    if (op->request && !(op->flags & OPF_BLOCKING)) /* else it is the call's own, and over with it */
        line_add(line, " request=%" PRIu32, op->request);
}

static void add_answer(struct line *line, const struct op *op, const struct ahead_answer *answer)
{
    bool polls = op_is_poll(op);
    if (polls && !answer->flag) {
        line_add(line, " = no");
        return;
    }
    line_add(line, polls ? " = yes" : " =");
    if (op_probes(op)) {
        add_labelled_rank(line, "source", answer->source);
        add_tag(line, answer->tag);
        line_add(line, " bytes=%" PRIu64, answer->bytes);
    } else if (op->flags & (OPF_ANY | OPF_SOME)) {
        line_add(line, " %s", answer->requests ? answer->requests : "none");
    }
}

static void add_outcomes(const struct text_dump *text, struct line *line, struct op_ref ref, const struct op *op)
{
    const struct ahead_outcome *outcome;
    size_t n = ahead_outcomes(&text->ahead, ref, &outcome);
    for (size_t i = 0; i < n; i++) {
        if (outcome[i].rank == RANK_NONE)
            add_answer(line, op, &text->ahead.answers.at[outcome[i].other]);
        else
            line_add(line, " %s %d.%" PRIu64, op->kind == OP_SEND ? "->" : "<-", (int)outcome[i].rank,
                     outcome[i].other);
    }
    if (ahead_never_returned(&text->ahead, ref, op))
        line_add(line, " (never returned)");
}

static void print_op(struct text_dump *text, struct op_ref ref, const struct op *op)
{
    struct line *line = &text->line;
    learn_names(text, ref.rank, op);
    vec_clear(line);
    line_add(line, "%d.%" PRIu64, (int)ref.rank, ref.index);
    line_pad(line, 0, REF_WIDTH);
    size_t from = line->n;
    line_add(line, " %s", op_title[op->kind] ? op_title[op->kind] : call_name(op->call));
    line_pad(line, from, CALL_WIDTH + 1);
    from = line->n;
    add_args(text, line, ref.rank, op);
    line_pad(line, from, ARGS_WIDTH);
    from = line->n;
    add_outcomes(text, line, ref, op);
    if (op->place) {
        line_pad(line, from, OUTCOME_WIDTH);
        line_add(line, "  ");
        add_code_place(text, line, ref.rank, op->place);
    }
    while (line->n > 0 && line->at[line->n - 1] == ' ')
        line->n--;
    line_add(line, "\n");
    fwrite(line->at, 1, line->n, text->out);
}

static void print_head(struct text_dump *text, const struct trace_head *head)
{
    struct line *line = &text->line;
    line_add(line, "program   ");
    line_add_clean(line, head->program ? head->program : "unknown");
    for (int i = 0; i < head->argc; i++) {
        const char *arg = head->argv[i] ? head->argv[i] : "";
        const char *quote = *arg && !strpbrk(arg, " \t\n") ? "" : "'";
        line_add(line, " %s", quote);
        line_add_clean(line, arg);
        line_add(line, "%s", quote);
    }
    line_add(line, "\nranks     %d\nmpi       ", head->ranks);
    line_add_clean(line, head->mpi ? head->mpi : "unknown");
    line_add(line, "\nbuffering ");
    line_add_clean(line, head->buffering ? head->buffering : "unknown");
    line_add(line, "\n\n");
    fwrite(line->at, 1, line->n, text->out);
}

static void print_end(struct text_dump *text, const struct trace_end *end)
{
    static const char *const how[] = {"ended", "deadlock", "crash", "MPI_Abort", "fatal error", "stopped by tourney"};
    struct line *line = &text->line;
    vec_clear(line);
    line_add(line, "\nend       %s, exit code %d", how[end->kind], end->code);
    if (end->message) {
        line_add(line, ": ");
        line_add_clean(line, end->message);
    }
    line_add(line, "\n");
    fwrite(line->at, 1, line->n, text->out);
}

static void text_release(struct text_dump *text)
{
    for (size_t i = 0; i < text->names.n; i++)
        free(text->names.at[i]);
    vec_release(&text->names);
    vec_release(&text->line);
    map_release(&text->context_of);
    map_release(&text->type_of);
    ahead_release(&text->ahead);
}

enum trace_record_kind dump_text(struct trace_reader *reader, struct trace_reader *ahead, FILE *out)
{
    struct text_dump text = {.out = out};
    struct trace_record record;
    enum trace_record_kind kind;
    ahead_read(&text.ahead, ahead);
    print_head(&text, trace_reader_head(reader));
    while ((kind = trace_next(reader, &record)) != TRACE_EOF && kind != TRACE_TORN && !ferror(out)) {
        if (kind == TRACE_OP)
            print_op(&text, record.ref, record.op);
        else if (kind == TRACE_END)
            print_end(&text, &record.end);
    }
    text_release(&text);
    return kind;
}
