#include "words/describe.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "call/alternative_text.h"
#include "call/calls.h"
#include "call/dynamic.h"
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

static bool call_begins(enum call call, const char *start)
{
    return strncmp(call_name(call), start, strlen(start)) == 0;
}

/* A part of a partitioned message has its number as its tag; a rank that waits for its own MPI_Pready tells which is missing. */
static bool put_partition_argument(FILE *out, const struct op *op)
{
    if (op->call != CALL_Parrived && op->call != CALL_Pready && op->call != CALL_Pready_range && op->call != CALL_Pready_list)
        return false;
    fprintf(out, ", partition=%" PRId64, op->call == CALL_Pready && op->kind == OP_RECV ? op->count : op->tag);
    return true;
}

/* Who connects names the rank that has opened the port; what goes to and from the registry has no arguments that were told. */
static bool put_dynamic_arguments(FILE *out, const struct op *op)
{
    if (!op_is_dynamic(op))
        return false;
    if (op->tag >= DYNAMIC_PORT && op->kind == OP_SEND)
        fprintf(out, "port %d of rank %d", op->tag - DYNAMIC_PORT, op->peer);
    else if (op->tag >= DYNAMIC_PORT)
        fprintf(out, "port %d", op->tag - DYNAMIC_PORT);
    return true;
}

static void put_arguments(FILE *out, const struct final_state *final, rank_t r, const struct op *op)
{
    if (put_dynamic_arguments(out, op))
        return;
    if (op_part(op) == OP_PART_POST && op->context == KEEPER_CONTEXT) {
        if (!window_tag_is_of_file(op->tag)) /* the call says it all */
            put_target(out, final, op->peer);
        return;
    }
    switch ((enum op_kind)op->kind) {
    case OP_SEND:
    case OP_RECV:
    case OP_PROBE:
    case OP_IPROBE:
        put_rank_argument(out, op->kind == OP_SEND ? "dest" : "source", op->peer);
        if (!put_partition_argument(out, op))
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
        if (call_begins(op->call, "MPI_Win_") || call_begins(op->call, "MPI_File_"))
            break; /* what it waits for are answers of keepers, and no requests of the program */
        fprintf(out, "%u %s%s", op->items, op->call == CALL_Buffer_detach ? "message" : "request",
                op->items == 1 ? "" : "s");
        break;
    OP_CASES(OP_CHOICES)
        fprintf(out, "one of %u", op->items);
        break;
    case OP_ABORT:
        fprintf(out, "%d", op->code);
        break;
    case OP_ACCESS:
        put_target(out, final, op->peer);
        break;
    case OP_FILE_ACCESS:
        put_comm(out, final, op->context);
        break;
    case OP_ERROR:
    case OP_REFUSED:
    case OP_CRASH:
    OP_CASES(OP_LIFE)
    OP_CASES(OP_SETTINGS)
    OP_CASES(OP_PLAIN_REMARKS)
    case OP_TENURE:
    case OP_WINDOW:
    case OP_FILE:
    OP_CASES(OP_ON_REQUESTS)
    OP_CASES(OP_SERVICES)
        break;
    }
}

/* Of a store that was found as a difference, the call that has looked is told. */
static bool put_touch(FILE *out, const struct op *op)
{
    const struct window_use *use = op_tail(op);
    if (op->kind != OP_ACCESS || use->epoch != WINDOW_BY_ITSELF)
        return false;
    fprintf(out, "%s the window of rank %d", use->kind == WINDOW_PUT ? "store to" : "load from", op->peer);
    if (op->flags & OPF_WENT_ON)
        fprintf(out, ", before %s", call_name(op->call));
    return true;
}

static void put_operation(FILE *out, const struct final_state *final, rank_t r, const struct op *op)
{
    if (put_touch(out, op))
        return;
    if (op_chooses(op) && alternatives_are_failure(op)) {
        fprintf(out, "%.*s", alternatives_name_length(op), (const char *)op_tail(op));
        return;
    }
    if (op_chooses(op) && alternatives_are_named(op)) {
        fprintf(out, "choice of %.*s, one of %u", alternatives_name_length(op), (const char *)op_tail(op), op->items);
        return;
    }
    if (op->flags & OPF_EITHER && op_completes(op)) {
        fputs("threads that wait", out);
        return;
    }
    fprintf(out, "%s(", call_name(op->call));
    put_arguments(out, final, r, op);
    fputc(')', out);
}

void describe_op(FILE *out, const struct final_state *final, rank_t r, const struct op *op)
{
    put_operation(out, final, r, op);
    if (op->thread && !op_chooses(op) && !(op->flags & OPF_EITHER && op_completes(op)))
        fprintf(out, " by thread %u", op->thread);
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

const char *describe_call(const struct op *op)
{
    const struct window_use *use = op_tail(op);
    if (op->kind != OP_ACCESS || use->epoch != WINDOW_BY_ITSELF || op->call != CALL_NONE)
        return call_name(op->call);
    return use->kind == WINDOW_PUT ? "a store" : "a load";
}
