#include "predict/confirm.h"

#include <stdlib.h>

#include "base/die.h"

struct confirmation {
    const struct ours *ours;
    const struct program *program;
    struct sem *sem;
    op_id *send, *recv, *part;                   /* by send; by entry of `recv` in the program; by part */
    uint32_t *taken;                             /* by slot: how many */
    uint32_t *next_send, *next_slot, *next_receipt, *next_part; /* by rank: not posted yet */
    op_id *choices;
};

static bool confirmation_holds(const struct confirmation *r, int literal)
{
    return formula_holds(r->ours->formula, literal);
}

static void post_predicted_send(struct confirmation *r, uint32_t i)
{
    const struct send *send = &r->program->send.at[i];
    r->send[i] = sem_send(r->sem, send->rank, send->to, send->context, send->tag, send->mode, send->bytes, i);
    if (send->mode != SEND_SYNCHRONOUS && send->mode != SEND_BUFFERED && confirmation_holds(r, r->ours->buffered[i]))
        sem_loosen(r->sem, r->send[i]);
}

/* Blocking receives of a slot come one by one, others together; a matched probe posts nothing. */
static void post_predicted_recv(struct confirmation *r, uint32_t i)
{
    const struct slot *slot = &r->program->slot.at[i];
    for (uint32_t k = r->taken[i]; k < slot->room && !slot->takes; k++) {
        r->recv[slot->first + k] = sem_recv(r->sem, slot->rank, slot->from, slot->context, slot->tag, i);
        if (slot->blocking)
            return;
    }
}

static void post_part(struct confirmation *r, uint32_t i)
{
    const struct program *p = r->program;
    const struct collective_call *part = &p->part.at[i];
    r->part[i] = sem_coll(r->sem, part->rank, part->context, part->turn, part->from, part->until,
                          p->listed.at + part->first, part->listed, i);
    if (confirmation_holds(r, r->ours->loose[i]))
        sem_loosen(r->sem, r->part[i]);
}

static const char *withdraw(struct confirmation *r, rank_t rank, halt_t passed)
{
    const struct program *p = r->program;
    for (uint32_t i = 0; i < r->next_send[rank]; i++)
        if (p->send.at[i].rank == rank && p->send.at[i].withdrawn && p->send.at[i].gone_after == passed &&
            !sem_withdraw(r->sem, r->send[i]))
            return "a send is matched that was cancelled";
    for (uint32_t i = 0; i < r->next_slot[rank]; i++)
        if (p->slot.at[i].rank == rank && p->slot.at[i].withdrawn && p->slot.at[i].gone_after == passed &&
            !sem_withdraw(r->sem, r->recv[p->slot.at[i].first]))
            return "a receive is matched that was cancelled";
    return NULL;
}

/* The rank has passed a halt: it posts what comes before the next one. */
static const char *post_until_halt(struct confirmation *r, rank_t rank, halt_t passed)
{
    const struct program *p = r->program;
    uint32_t *s = &r->next_send[rank], *q = &r->next_slot[rank], *c = &r->next_part[rank], *t = &r->next_receipt[rank];
    bool withdrawals = false;
    for (; *s < p->send.n && p->send.at[*s].rank == rank && p->send.at[*s].after == passed; ++*s)
        post_predicted_send(r, *s);
    for (; *q < p->slot.n && p->slot.at[*q].rank == rank && p->slot.at[*q].after == passed; ++*q)
        post_predicted_recv(r, *q);
    for (; *t < p->receipt.n && p->receipt.at[*t].rank == rank && p->receipt.at[*t].after == passed; ++*t)
        sem_receive(r->sem, r->recv[p->slot.at[p->receipt.at[*t].slot].first]);
    for (; *c < p->part.n && p->part.at[*c].rank == rank && p->part.at[*c].after == passed; ++*c)
        post_part(r, *c);
    for (size_t i = 0; i < p->mailbox.n; i++)
        withdrawals = withdrawals || p->mailbox.at[i].withdrawals;
    return withdrawals ? withdraw(r, rank, passed) : NULL;
}

static bool is_op_among(const op_id *ops, int n, op_id op)
{
    for (int i = 0; i < n; i++)
        if (ops[i] == op)
            return true;
    return false;
}

/* What a receive of this slot, posted now, could take. */
static int probe_slot(const struct confirmation *r, const struct slot *slot)
{
    return sem_probe(r->sem, slot->rank, slot->from, slot->context, slot->tag, r->choices);
}

static const char *play_take(struct confirmation *r, uint32_t s, uint32_t id)
{
    const struct slot *slot = &r->program->slot.at[id];
    if (id >= r->next_slot[slot->rank] || !r->send[s] || !is_op_among(r->choices, probe_slot(r, slot), r->send[s]))
        return "a matched probe takes what is not there";
    r->recv[slot->first] = sem_take(r->sem, r->send[s], id);
    r->taken[id]++;
    return NULL;
}

static const char *play_match(struct confirmation *r, uint32_t s, uint32_t id)
{
    const struct slot *slot = &r->program->slot.at[id];
    op_id recv = r->recv[slot->first + r->taken[id]];
    if (slot->takes)
        return play_take(r, s, id);
    if (r->taken[id] >= slot->room || !recv || !r->send[s])
        return "a match comes before its ends";
    int n = sem_choices(r->sem, recv, r->choices);
    if (!is_op_among(r->choices, n, r->send[s]))
        return "a match is not eligible";
    sem_match(r->sem, r->send[s], recv);
    r->taken[id]++;
    if (slot->blocking && r->taken[id] < slot->room)
        post_predicted_recv(r, id);
    return NULL;
}

static const char *play_find(struct confirmation *r, uint32_t id, uint32_t s)
{
    const struct probe *probe = &r->program->probe.at[id];
    int n = sem_probe(r->sem, probe->rank, probe->from, probe->context, probe->tag, r->choices);
    return r->send[s] && is_op_among(r->choices, n, r->send[s]) ? NULL : "a probe finds what is not there";
}

static bool need_is_met(const struct confirmation *r, struct return_condition need)
{
    if (need.thing == THING_SLOT)
        return r->taken[need.id] == r->program->slot.at[need.id].room;
    struct sem_view view = sem_view(r->sem, need.thing == THING_SEND ? r->send[need.id] : r->part[need.id]);
    return view.complete || (need.escapes && view.matched);
}

static bool needs_are_met(const struct confirmation *r, const struct halt *halt)
{
    for (uint32_t i = 0; i < halt->needs; i++)
        if (!need_is_met(r, r->program->need.at[halt->first + i]))
            return false;
    return !halt->shut;
}

/* Could it return in any way? */
static bool is_ready(struct confirmation *r, const struct halt *halt)
{
    const struct program *p = r->program;
    for (uint32_t i = 0; i < halt->others; i++)
        if (need_is_met(r, p->need.at[halt->first + halt->needs + i]))
            return true;
    if (halt->probe >= 0) {
        const struct probe *probe = &p->probe.at[halt->probe];
        return sem_probe(r->sem, probe->rank, probe->from, probe->context, probe->tag, r->choices) > 0;
    }
    return halt->firm || needs_are_met(r, halt);
}

static const char *check_end(struct confirmation *r, bool deadlock)
{
    const struct program *p = r->program;
    bool stuck = false;
    for (size_t i = 0; i < p->halt.n; i++) {
        const struct halt *halt = &p->halt.at[i];
        if (halt->merged || confirmation_holds(r, r->ours->passed[i]) ||
            !confirmation_holds(r, ours_after(r->ours, halt->before)))
            continue;
        stuck = true;
        if (is_ready(r, halt))
            return "a rank could go on";
    }
    for (size_t i = 0; i < p->slot.n; i++)
        for (uint32_t k = r->taken[i]; k < p->slot.at[i].room; k++) {
            op_id recv = r->recv[p->slot.at[i].first + k];
            if (recv && !sem_view(r->sem, recv).complete && sem_choices(r->sem, recv, r->choices) > 0)
                return "something could match";
            if (p->slot.at[i].takes && i < r->next_slot[p->slot.at[i].rank] && probe_slot(r, &p->slot.at[i]) > 0)
                return "a matched probe could take something";
        }
    return stuck || !deadlock ? NULL : "nobody is stuck";
}

static const char *play(struct confirmation *r, const struct order *order, bool deadlock)
{
    const struct program *p = r->program;
    const char *wrong = NULL;
    for (rank_t rank = 0; rank < p->ranks && !wrong; rank++)
        wrong = post_until_halt(r, rank, HALT_START);
    for (size_t i = 0; i < order->event.n && !wrong; i++) {
        struct event event = order->event.at[i];
        if (event.kind == EVENT_MATCH)
            wrong = play_match(r, event.id, event.with);
        else if (event.kind == EVENT_FIND)
            wrong = play_find(r, event.id, event.with);
        else if (!needs_are_met(r, &p->halt.at[event.id]))
            wrong = "a call returns that cannot";
        else
            wrong = post_until_halt(r, p->halt.at[event.id].rank, (halt_t)event.id);
    }
    return wrong ? wrong : check_end(r, deadlock);
}

static void start_at(struct confirmation *r)
{
    const struct program *p = r->program;
    for (rank_t rank = 0, s = 0, q = 0, c = 0, t = 0; rank < p->ranks; rank++) {
        while ((size_t)s < p->send.n && p->send.at[s].rank < rank)
            s++;
        while ((size_t)q < p->slot.n && p->slot.at[q].rank < rank)
            q++;
        while ((size_t)c < p->part.n && p->part.at[c].rank < rank)
            c++;
        while ((size_t)t < p->receipt.n && p->receipt.at[t].rank < rank)
            t++;
        r->next_send[rank] = (uint32_t)s;
        r->next_slot[rank] = (uint32_t)q;
        r->next_part[rank] = (uint32_t)c;
        r->next_receipt[rank] = (uint32_t)t;
    }
}

const char *confirm_run(const struct ours *ours, const struct order *order, bool deadlock)
{
    const struct program *p = ours->program;
    struct confirmation r = {.ours = ours,
                       .program = p,
                       .sem = sem_new(p->ranks, SLACK_TIGHT),
                       .send = xcalloc(p->send.n + 1, sizeof(op_id)),
                       .recv = xcalloc(p->recv.n + 1, sizeof(op_id)),
                       .part = xcalloc(p->part.n + 1, sizeof(op_id)),
                       .taken = xcalloc(p->slot.n + 1, sizeof(uint32_t)),
                       .next_send = xcalloc((size_t)p->ranks, sizeof(uint32_t)),
                       .next_slot = xcalloc((size_t)p->ranks, sizeof(uint32_t)),
                       .next_part = xcalloc((size_t)p->ranks, sizeof(uint32_t)),
                       .next_receipt = xcalloc((size_t)p->ranks, sizeof(uint32_t)),
                       .choices = xcalloc((size_t)p->ranks + 1, sizeof(op_id))};
    const char *wrong = NULL;
    start_at(&r);
    for (size_t i = 0; i < p->comm.n && !wrong; i++)
        if (sem_context(r.sem, p->comm.at[i].context, (int)p->comm.at[i].first_group, (int)p->comm.at[i].members,
                        p->comm.at[i].member) < 0)
            wrong = "the members of a communicator cannot be";
    if (!wrong)
        wrong = play(&r, order, deadlock);
    sem_free(r.sem);
    free(r.send);
    free(r.recv);
    free(r.part);
    free(r.taken);
    free(r.next_send);
    free(r.next_slot);
    free(r.next_part);
    free(r.next_receipt);
    free(r.choices);
    return wrong;
}
