#include "words/describe.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "call/calls.h"
#include "call/window.h"

void describe_text(FILE *out, const char *text)
{
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' || *text == 127 ? '?' : *text, out);
}

static void put_rank_argument(FILE *out, const char *label, rank_t rank)
{
    if (rank == RANK_ANY)
        fprintf(out, "%s=MPI_ANY_SOURCE", label);
    else
        fprintf(out, "%s=%d", label, rank);
}

static void put_tag_argument(FILE *out, int32_t tag)
{
    if (tag == TAG_ANY)
        fputs(", tag=MPI_ANY_TAG", out);
    else
        fprintf(out, ", tag=%d", tag);
}

static void put_data_argument(FILE *out, const struct final_state *final, rank_t r, const struct op *op)
{
    const char *type = final->type_name(final->data, r, op->type);
    if (!op->type || !type)
        return;
    fprintf(out, ", %" PRId64 " ", op->count);
    describe_text(out, *type ? type : "of a derived type");
}

static void put_comm(FILE *out, const struct final_state *final, context_t context)
{
    const char *name = final->context_name(final->data, context);
    describe_text(out, name && *name ? name : "a communicator without name");
}

/* What goes to a window, and what comes from there: the target is enough. */
static void put_target(FILE *out, const struct final_state *final, rank_t peer)
{
    fprintf(out, "target=%d", peer < final->ranks ? peer : keeper_owner(final->ranks, peer));
}

static void put_arguments(FILE *out, const struct final_state *final, rank_t r, const struct op *op)
{
    if (op_part(op) == OP_PART_POST && op->context == KEEPER_CONTEXT) {
        put_target(out, final, op->peer);
        return;
    }
    switch ((enum op_kind)op->kind) {
    case OP_SEND:
    case OP_RECV:
    case OP_PROBE:
    case OP_IPROBE:
        put_rank_argument(out, op->kind == OP_SEND ? "dest" : "source", op->peer);
        put_tag_argument(out, op->tag);
        put_data_argument(out, final, r, op);
        fputs(", ", out);
        put_comm(out, final, op->context);
        break;
    case OP_COLL:
        if (op->peer != RANK_NONE) {
            put_rank_argument(out, "root", op->peer);
            fputs(", ", out);
        }
        put_comm(out, final, op->context);
        break;
    case OP_WAIT:
    case OP_TEST:
        fprintf(out, "%u %s%s", op->items, op->call == CALL_Buffer_detach ? "message" : "request",
                op->items == 1 ? "" : "s");
        break;
    case OP_ABORT:
        fprintf(out, "%d", op->code);
        break;
    case OP_ERROR:
    case OP_REFUSED:
    case OP_CRASH:
    OP_CASES(OP_LIFE)
    OP_CASES(OP_SETTINGS)
    OP_CASES(OP_REMARKS)
    OP_CASES(OP_ON_REQUESTS)
    OP_CASES(OP_SERVICES)
        break;
    }
}

void describe_op(FILE *out, const struct final_state *final, rank_t r, const struct op *op)
{
    fprintf(out, "%s(", call_name(op->call));
    put_arguments(out, final, r, op);
    fputc(')', out);
}

static bool are_in_a_row(const rank_t *rank, int n)
{
    for (int i = 1; i < n; i++)
        if (rank[i] != rank[i - 1] + 1)
            return false;
    return true;
}

void describe_ranks(FILE *out, const rank_t *rank, int n, const char *joint)
{
    enum { SHOWN = 8, ROW = 5 };
    if (n >= ROW && are_in_a_row(rank, n)) {
        fprintf(out, "%sranks %d to %d", strcmp(joint, " or ") == 0 ? "one of " : "", rank[0], rank[n - 1]);
        return;
    }
    fprintf(out, "rank%s ", n == 1 ? "" : "s");
    for (int i = 0; i < n && i < SHOWN; i++)
        fprintf(out, "%s%d", i == 0 ? "" : i == n - 1 ? joint : ", ", rank[i]);
    if (n > SHOWN)
        fprintf(out, " ... (%d in all)", n);
}
