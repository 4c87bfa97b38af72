#include "words/decision_words.h"

#include <inttypes.h>

#include "call/alternative_text.h"
#include "call/calls.h"

static void put_request_set(FILE *out, const struct op *call, uint64_t set)
{
    const char *joint = " ";
    if (!(call->flags & (OPF_ANY | OPF_SOME))) {
        fputs("returns flag = 1", out);
        return;
    }
    if (set == UINT64_MAX) {
        fputs("returns all its requests", out);
        return;
    }
    fputs(set & (set - 1) ? "returns its requests" : "returns its request", out);
    for (int i = 0; i < 64; i++)
        if (set >> i & 1) {
            fprintf(out, "%s%d", joint, i);
            joint = ", ";
        }
    fputs(" (counted from 0)", out);
}

const char *decision_words_no(const struct op *poll)
{
    return poll->flags & OPF_SOME ? "outcount = 0" : "flag = 0";
}

static void put_alternative(FILE *out, const struct op *op, uint64_t set)
{
    if (alternatives_are_named(op)) {
        alternative_put(out, op, set ? (unsigned)__builtin_ctzll(set) : 0);
        return;
    }
    fprintf(out, "%.*s: goes the way %d of %" PRIu32 " (counted from 0)", (int)op_tail_size(op), (const char *)op_tail(op),
            set ? __builtin_ctzll(set) : 0, op->items);
}

void decision_words_put(FILE *out, const struct op *op, const struct decision *d)
{
    switch (d->kind) {
    case DECIDED_MATCH:
        if (op->call == CALL_Comm_accept)
            fprintf(out, "accepts rank %d", d->source);
        else
            fprintf(out, "receives the message from rank %d", d->source);
        break;
    case DECIDED_SEEN:
        fprintf(out, "finds the message from rank %d", d->source);
        break;
    case DECIDED_SOME:
        put_request_set(out, op, d->set);
        break;
    case DECIDED_CANCEL:
        fputs(d->set ? "cancels in time" : "cancels too late", out);
        break;
    case DECIDED_CHOICE:
        put_alternative(out, op, d->set);
        break;
    case DECIDED_NO:
        fprintf(out, "returns %s", decision_words_no(op));
        break;
    }
}
