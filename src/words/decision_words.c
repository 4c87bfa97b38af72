#include "words/decision_words.h"

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

void decision_words_put(FILE *out, const struct op *op, const struct decision *d)
{
    switch (d->kind) {
    case DECIDED_MATCH:
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
    case DECIDED_NO:
        fprintf(out, "returns %s", decision_words_no(op));
        break;
    }
}
