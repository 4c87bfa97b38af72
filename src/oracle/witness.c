#include "oracle/witness.h"

static const struct execution_op *op_of_program(const struct program *p, rank_t r, uint32_t op)
{
    return &p->execution->rank[r].op.at[op];
}

/* What turns out not to be open is no matter: a probe that polls is a decision, one that waits only if any source will do. */
static void add_match(struct witness *w, const struct program *p, const struct send *send, const struct slot *slot,
                      uint32_t recv)
{
    if (slot->from == RANK_ANY || slot->takes)
        vec_push(&w->decisions, ((struct decision){.kind = slot->takes ? DECIDED_SEEN : DECIDED_MATCH,
                                                   .rank = slot->rank,
                                                   .op = p->recv.at[recv],
                                                   .source = send->rank,
                                                   .message = send->op}));
}

static void add_find(struct witness *w, const struct probe *probe, const struct send *send)
{
    vec_push(&w->decisions, ((struct decision){.kind = DECIDED_SEEN,
                                               .rank = probe->rank,
                                               .op = probe->op,
                                               .source = send->rank,
                                               .message = send->op}));
}

/* Of the list of a call, the positions of those that it completed. */
static uint64_t completed_set(const struct execution *e, rank_t r, const struct execution_op *call)
{
    const uint32_t *number = op_tail(call->op), *done = e->rank[r].requests.at + call->first;
    uint64_t set = 0;

    if (!(call->op->flags & (OPF_ANY | OPF_SOME)))
        return UINT64_MAX;
    for (uint32_t i = 0; i < call->op->items && i < 64; i++)
        for (uint32_t k = 0; k < call->completed; k++)
            if (number[i] == done[k])
                set |= UINT64_C(1) << i;
    return set;
}

/* What a completion returned is as it was; the passed ones are listed, for more is never decided. */
static void add_completion(struct witness *w, const struct program *p, const struct halt *halt)
{
    const struct execution_op *call = op_of_program(p, halt->rank, halt->op);
    bool open = call->op->kind == OP_TEST || (call->op->kind == OP_WAIT && call->op->flags & (OPF_ANY | OPF_SOME));

    if (open && !(call->op->flags & OPF_WENT_ON))
        vec_push(&w->decisions, ((struct decision){.kind = DECIDED_SOME,
                                                   .rank = halt->rank,
                                                   .op = halt->op,
                                                   .source = RANK_NONE,
                                                   .set = completed_set(p->execution, halt->rank, call)}));
}

static void add_events(struct witness *w, const struct program *p, const struct prediction *got)
{
    uint32_t *taken = xcalloc(p->slot.n + 1, sizeof *taken);

    for (size_t i = 0; i < got->run.n; i++) {
        struct event event = got->run.at[i];

        if (event.kind == EVENT_PASS)
            add_completion(w, p, &p->halt.at[event.id]);
        else if (event.kind == EVENT_FIND)
            add_find(w, &p->probe.at[event.id], &p->send.at[event.with]);
        else
            add_match(w, p, &p->send.at[event.id], &p->slot.at[event.with],
                      p->slot.at[event.with].first + taken[event.with]++);
    }
    free(taken);
}

/* What was chosen stays so; what of it the run does not come to is not decided. */
static void add_choices(struct witness *w, const struct execution *e)
{
    for (rank_t r = 0; r < e->ranks; r++)
        for (uint32_t i = 0; i < e->rank[r].op.n; i++) {
            const struct execution_op *op = &e->rank[r].op.at[i];

            if (op_chooses(op->op) && op->returned && op->source >= 0 && op->source < 64)
                vec_push(&w->decisions, ((struct decision){.kind = DECIDED_CHOICE,
                                                           .rank = r,
                                                           .op = i,
                                                           .source = RANK_NONE,
                                                           .set = UINT64_C(1) << op->source}));
        }
}

struct witness witness_of(const struct program *p, const struct prediction *got)
{
    struct witness w = {0};

    add_events(&w, p, got);
    add_choices(&w, p->execution);
    for (size_t i = 0; i < got->held.n; i++)
        vec_push(&w.unbuffered, ((struct op_name){p->send.at[got->held.at[i]].rank, p->send.at[got->held.at[i]].op}));
    for (size_t i = 0; i < got->tight.n; i++)
        vec_push(&w.unbuffered, ((struct op_name){p->part.at[got->tight.at[i]].rank, p->part.at[got->tight.at[i]].op}));
    for (size_t i = 0; i < got->carried.n; i++)
        vec_push(&w.buffered,
                 ((struct op_name){p->send.at[got->carried.at[i]].rank, p->send.at[got->carried.at[i]].op}));
    for (size_t i = 0; i < got->early.n; i++)
        vec_push(&w.buffered, ((struct op_name){p->part.at[got->early.at[i]].rank, p->part.at[got->early.at[i]].op}));
    return w;
}

void witness_release(struct witness *w)
{
    vec_release(&w->decisions);
    vec_release(&w->buffered);
    vec_release(&w->unbuffered);
}

bool witness_is_held(const struct witness *w)
{
    return w->unbuffered.n > 0;
}

struct tried_run witness_run_loose(const struct witness *w)
{
    return (struct tried_run){.run = {.decisions = w->decisions.n, .decision = w->decisions.at}, .on = true};
}

struct tried_run witness_run(const struct witness *w)
{
    if (!witness_is_held(w))
        return (struct tried_run){.run = {.decisions = w->decisions.n, .decision = w->decisions.at}};
    return (struct tried_run){.run = {w->decisions.n, w->buffered.n, w->decisions.at, w->buffered.at, false},
                              .unbuffered = w->unbuffered.n,
                              .unbuffered_op = w->unbuffered.at};
}
