#include "model/words.h"

#include <stdio.h>

#include "base/die.h"
#include "call/calls.h"

/* Something printed piece by piece. */
struct word_buffer {
    FILE *file;
    char *at;
    size_t size;
};

static void text_begin(struct word_buffer *text)
{
    text->file = open_memstream(&text->at, &text->size);
    if (!text->file)
        die("out of memory");
}

static char *text_end(struct word_buffer *text)
{
    if (fclose(text->file) != 0)
        die("out of memory");
    return text->at;
}

static void put_number_or_any(FILE *file, const char *name, int number)
{
    if (number < 0)
        fprintf(file, "%s=any", name);
    else
        fprintf(file, "%s=%d", name, number);
}

static void put_request_list(FILE *file, const struct op *op)
{
    const uint32_t *request = op_tail(op);
    for (uint32_t i = 0; i < op->items; i++)
        fprintf(file, "%s%u", i ? ", " : op->items == 1 ? "request " : "requests ", request[i]);
}

char *words_for_op(const struct op *op)
{
    struct word_buffer text;
    text_begin(&text);
    fprintf(text.file, "%s(", call_name(op->call));
    switch ((enum op_kind)op->kind) {
    case OP_SEND:
        fprintf(text.file, "dest=%d, tag=%d", op->peer, op->tag);
        break;
    case OP_RECV:
    case OP_PROBE:
    case OP_IPROBE:
        put_number_or_any(text.file, "source", op->peer);
        put_number_or_any(text.file, ", tag", op->tag);
        break;
    case OP_COLL:
        if (op->peer >= 0)
            fprintf(text.file, "root=%d", op->peer);
        break;
    case OP_WAIT:
    case OP_TEST:
        put_request_list(text.file, op);
        break;
    OP_CASES(OP_CHOICES)
        fprintf(text.file, "%u alternatives", op->items);
        break;
    case OP_TAKEN:
        fprintf(text.file, "message of request %u", op->request);
        break;
    case OP_DONE:
        fprintf(text.file, "request %u, complete", op->request);
        break;
    case OP_CANCEL:
    case OP_FREE:
    OP_CASES(OP_LIFE)
    OP_CASES(OP_SETTINGS)
    OP_CASES(OP_REMARKS)
    OP_CASES(OP_SERVICES)
    OP_CASES(OP_ENDS)
        break;
    }
    fputs(")", text.file);
    return text_end(&text);
}

bool op_matters(const struct op *op)
{
    return op_communicates(op) || op_part(op) == OP_PART_ON_REQUEST;
}

uint32_t model_message(const struct model *model, const struct op *message)
{
    for (uint32_t i = 1; i < model->op.n; i++)
        if (model->op.at[i].op == message)
            return model->op.at[i].message;
    return 0;
}

static void put_answer_item(FILE *file, const struct model *model, const struct answer_item *item)
{
    if (item->flags & ANSWERED_CANCELLED)
        fprintf(file, "request %u cancelled", item->request);
    else if (item->flags & ANSWERED_CHOSEN)
        fprintf(file, "alternative %d", item->source);
    else if (item->message)
        fprintf(file, "%s %d, tag %d, message %u", item->flags & ANSWERED_SEEN ? "sees" : "from", item->source,
                item->message->tag, model_message(model, item->message));
    else
        fprintf(file, "request %u", item->request);
}

/* What the members of a collective brought; a hash tells one from another. */
static void put_piece_sum(FILE *file, const struct ret *ret, const struct answer_item *item)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < item->pieces; i++)
        sum = sum * 31 + ret->piece[item->first_piece + i].content;
    if (item->pieces)
        fprintf(file, ", values %04x", (unsigned)(sum & 0xffff));
}

char *words_for_answer(const struct model *model, const struct model_edge *edge)
{
    struct word_buffer text;
    text_begin(&text);
    if (!edge->ret->flag)
        fputs("no", text.file);
    else if (!edge->ret->items)
        fputs("returns", text.file);
    for (uint32_t i = 0; i < edge->ret->items; i++) {
        fputs(i ? "; " : "", text.file);
        put_answer_item(text.file, model, &edge->ret->item[i]);
        put_piece_sum(text.file, edge->ret, &edge->ret->item[i]);
    }
    return text_end(&text);
}

const char *words_for_end(enum segment_end end)
{
    static const char *const words[] = {
        [SEGMENT_CALL] = "calls",         [SEGMENT_EXIT] = "exits",       [SEGMENT_ABORT] = "aborts",
        [SEGMENT_ERROR] = "makes an error", [SEGMENT_REFUSED] = "is refused", [SEGMENT_CRASH] = "crashes",
        [SEGMENT_HUNG] = "hangs",         [SEGMENT_DIVERGED] = "diverges"};
    return words[end];
}
