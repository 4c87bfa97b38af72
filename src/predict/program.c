#include "predict/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"

/* ---- one rank, call by call ---- */

/* What a rank's request numbers stand for while it is read. */
struct execution_reader {
    struct program *program;
    rank_t rank;
    halt_t halt;                       /* passed last */
    VEC(struct return_condition) open; /* by request number */
    VEC(bool) active;
    VEC(bool) done; /* it needs nobody (D7) */
    bool adjacent;  /* nothing was posted since that halt */
};

static void set_open_request(struct execution_reader *in, uint32_t number, struct return_condition need)
{
    while (in->open.n <= number) {
        vec_push(&in->open, (struct return_condition){0});
        vec_push(&in->active, false);
        vec_push(&in->done, false);
    }
    in->open.at[number] = need;
    in->active.at[number] = number > 0;
    in->done.at[number] = false;
}

static void set_done(struct execution_reader *in, uint32_t number)
{
    set_open_request(in, number, (struct return_condition){0});
    in->active.at[number] = false;
    in->done.at[number] = number > 0;
}

static bool is_done(const struct execution_reader *in, uint32_t number)
{
    return number < in->done.n && in->done.at[number];
}

static bool take_request(struct execution_reader *in, uint32_t number, struct return_condition *need)
{
    if (number >= in->open.n || !in->active.at[number])
        return false;
    *need = in->open.at[number];
    return true;
}

static void drop_request(struct execution_reader *in, uint32_t number)
{
    if (number < in->active.n)
        in->active.at[number] = in->done.at[number] = false;
}

static struct halt *open_halt(struct execution_reader *in, uint32_t op)
{
    struct program *p = in->program;
    vec_push(&p->halt,
             (struct halt){.rank = in->rank, .op = op, .before = in->halt, .first = (uint32_t)p->need.n, .probe = -1});
    in->halt = (halt_t)p->halt.n - 1;
    in->adjacent = true;
    return &p->halt.at[in->halt];
}

static bool is_withdrawn(const struct program *p, struct return_condition need)
{
    return need.thing == THING_SEND ? p->send.at[need.id].withdrawn
                                    : need.thing == THING_SLOT && p->slot.at[need.id].withdrawn;
}

static void mark_asked(struct program *p, struct return_condition need)
{
    if (need.thing == THING_SEND)
        p->send.at[need.id].asked = true;
}

/* The halt opened last needs this, too. */
static void add_halt_need(struct execution_reader *in, struct return_condition need)
{
    struct program *p = in->program;
    if (is_withdrawn(p, need))
        return;
    vec_push(&p->need, need);
    p->halt.at[in->halt].needs++;
    mark_asked(p, need);
    if (need.thing == THING_SEND)
        p->send.at[need.id].waited = in->halt;
    else if (need.thing == THING_SLOT)
        p->slot.at[need.id].waited = in->halt;
    else
        p->part.at[need.id].waited = in->halt;
}

static void wait_here(struct execution_reader *in, uint32_t op, struct return_condition need)
{
    open_halt(in, op);
    add_halt_need(in, need);
}

static uint32_t find_or_add(struct map *map, struct map_key key, size_t next, bool *is_new)
{
    uint32_t index;
    *is_new = !map_get(map, key, &index);
    if (!*is_new)
        return index;
    map_put(map, key, (uint32_t)next);
    return (uint32_t)next;
}

static uint32_t comm_index(const struct program *p, context_t context)
{
    uint32_t index;
    if (!map_get(&p->comm_of, map_key(context), &index))
        die("the execution does not say who is in communicator %llx", (unsigned long long)context);
    return index;
}

static uint32_t mailbox_of(struct program *p, rank_t r, context_t context)
{
    bool is_new;
    uint32_t index = find_or_add(&p->mailbox_of, map_key2(context, (uint64_t)r), p->mailbox.n, &is_new);
    if (is_new) {
        comm_index(p, context); /* there must be one */
        vec_push(&p->mailbox, (struct mailbox){0});
    }
    return index;
}

static enum send_mode mode_of_send(uint32_t flags)
{
    return flags & OPF_SYNCHRONOUS ? SEND_SYNCHRONOUS
           : flags & OPF_BUFFERED  ? SEND_BUFFERED
           : flags & OPF_READY     ? SEND_READY
                                   : SEND_STANDARD;
}

static void read_send(struct execution_reader *in, uint32_t index, const struct op *op)
{
    struct program *p = in->program;
    struct return_condition need = {.thing = THING_SEND, .id = (uint32_t)p->send.n};
    in->adjacent = false;
    vec_push(&p->send, (struct send){.rank = in->rank,
                                     .to = op->peer,
                                     .op = index,
                                     .context = op->context,
                                     .tag = op->tag,
                                     .mode = mode_of_send(op->flags),
                                     .bytes = op->bytes,
                                     .after = in->halt,
                                     .waited = HALT_NEVER,
                                     .mailbox = mailbox_of(p, op->peer, op->context)});
    set_open_request(in, op->request, need);
    if (op->flags & OPF_BLOCKING)
        wait_here(in, index, need);
}

/* May this receive share the slot of the one before it?  Non-blocking ones are looked at later. */
static bool continues_slot(const struct execution_reader *in, const struct op *op)
{
    const struct program *p = in->program;
    if (!p->merges || !in->adjacent || !(op->flags & OPF_BLOCKING) || p->slot.n == 0)
        return false;
    const struct slot *last = &p->slot.at[p->slot.n - 1];
    return last->rank == in->rank && last->blocking && !last->takes && last->waited == in->halt &&
           last->from == op->peer && last->context == op->context && last->tag == op->tag;
}

static void new_slot(struct execution_reader *in, uint32_t index, const struct op *op, bool takes)
{
    struct program *p = in->program;
    vec_push(&p->slot, (struct slot){.rank = in->rank,
                                     .from = op->peer,
                                     .context = op->context,
                                     .tag = op->tag,
                                     .first = (uint32_t)p->recv.n,
                                     .room = 1,
                                     .after = in->halt,
                                     .waited = HALT_NEVER,
                                     .received = takes ? HALT_NEVER : in->halt,
                                     .blocking = op->flags & OPF_BLOCKING,
                                     .takes = takes,
                                     .mailbox = mailbox_of(p, in->rank, op->context)});
    vec_push(&p->recv, index);
}

static void read_recv(struct execution_reader *in, uint32_t index, const struct op *op)
{
    struct program *p = in->program;
    if (continues_slot(in, op)) {
        struct slot *slot = &p->slot.at[p->slot.n - 1];
        struct return_condition need = {.thing = THING_SLOT, .id = (uint32_t)p->slot.n - 1};
        p->halt.at[in->halt].merged = true;
        p->halt.at[in->halt].needs = 0;
        slot->room++;
        vec_push(&p->recv, index);
        wait_here(in, index, need);
        return;
    }
    struct return_condition need = {.thing = THING_SLOT, .id = (uint32_t)p->slot.n};
    in->adjacent = false;
    new_slot(in, index, op, false);
    set_open_request(in, op->request, need);
    if (op->flags & OPF_BLOCKING)
        wait_here(in, index, need);
}

static bool has_members(const struct traced_communicator *comm, const struct op_group *group)
{
    return comm->members == group->members && comm->first_group == group->first_group &&
           memcmp(comm->member, group->member, comm->members * sizeof *comm->member) == 0;
}

static void read_context(struct execution_reader *in, const struct op *op)
{
    struct program *p = in->program;
    const struct op_group *group = op_tail(op);
    bool is_new;
    uint32_t index = find_or_add(&p->comm_of, map_key(op->context), p->comm.n, &is_new);
    if (is_new)
        vec_push(&p->comm,
                 (struct traced_communicator){op->context, group->members, group->first_group, group->member});
    else if (!has_members(&p->comm.at[index], group))
        die("the execution does not agree with itself on who is in communicator %llx", (unsigned long long)op->context);
}

static uint32_t position_of(const struct traced_communicator *comm, rank_t r)
{
    for (uint32_t i = 0; i < comm->members; i++)
        if (comm->member[i] == r)
            return i;
    die("rank %d calls a collective on a communicator it is not in", r);
}

static struct map_key part_key(uint32_t comm, uint32_t turn, uint32_t position)
{
    return map_key2((uint64_t)comm << 32 | turn, position);
}

/* The execution may come from anywhere. */
static void check_coll_members(const struct traced_communicator *comm, rank_t r, const struct op_coll *coll)
{
    bool fits = coll->until <= comm->members;
    for (uint32_t i = 0; i < coll->listed; i++)
        fits = fits && op_coll_list(coll)[i] < comm->members;
    if (!fits)
        die("rank %d calls a collective with members that its communicator does not have", r);
}

static void read_coll(struct execution_reader *in, uint32_t index, const struct op *op)
{
    struct program *p = in->program;
    const struct op_coll *coll = op_tail(op);
    struct return_condition need = {.thing = THING_PART, .id = (uint32_t)p->part.n};
    uint32_t comm = comm_index(p, op->context);
    bool is_new;
    check_coll_members(&p->comm.at[comm], in->rank, coll);
    in->adjacent = false;
    find_or_add(&p->part_of, part_key(comm, (uint32_t)op->turn, position_of(&p->comm.at[comm], in->rank)), need.id,
                &is_new);
    if (!is_new)
        die("rank %d calls collective %d of a communicator twice", in->rank, op->turn);
    vec_push(&p->part, (struct collective_call){.rank = in->rank,
                                                .op = index,
                                                .call = op->call,
                                                .context = op->context,
                                                .turn = (uint32_t)op->turn,
                                                .from = coll->from,
                                                .until = coll->until,
                                                .first = (uint32_t)p->listed.n,
                                                .listed = coll->listed,
                                                .after = in->halt,
                                                .waited = HALT_NEVER,
                                                .comm = comm});
    for (uint32_t i = 0; i < coll->listed; i++)
        vec_push(&p->listed, op_coll_list(coll)[i]);
    set_open_request(in, op->request, need);
    if (op->flags & OPF_BLOCKING)
        wait_here(in, index, need);
}

/* The completion of requests: all, or those that it was. */
static void read_completion(struct execution_reader *in, uint32_t index, const struct execution_op *e)
{
    struct program *p = in->program;
    const uint32_t *number = op_tail(e->op), *done = p->execution->rank[in->rank].requests.at + e->first;
    bool choice = e->op->flags & (OPF_ANY | OPF_SOME) && !(e->op->flags & OPF_WENT_ON);
    uint32_t n = choice ? e->completed : e->op->items;
    struct return_condition need;
    if (e->op->kind == OP_TEST && !e->flag)
        return;
    struct halt *halt = open_halt(in, index);
    halt->firm = e->op->kind == OP_TEST;
    halt->shut = choice && !e->returned;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t request = choice ? done[i] : number[i];
        if (take_request(in, request, &need))
            add_halt_need(in, need);
    }
    for (uint32_t i = 0; choice && i < e->op->items; i++) {
        bool open = take_request(in, number[i], &need);
        if (is_done(in, number[i]) || (open && is_withdrawn(p, need))) /* it is complete: nobody is stuck here */
            p->halt.at[in->halt].firm = true;
        if (!open || is_withdrawn(p, need))
            continue;
        mark_asked(p, need);
        vec_push(&p->need, need);
        p->halt.at[in->halt].others++;
    }
    for (uint32_t i = 0; i < n; i++)
        drop_request(in, choice ? done[i] : number[i]);
}

static void read_probe(struct execution_reader *in, uint32_t index, const struct execution_op *e)
{
    struct program *p = in->program;
    const struct op *op = e->op;
    if (op->kind == OP_IPROBE && !e->flag)
        return;
    in->adjacent = false;
    if (op->flags & OPF_TAKE) {
        struct return_condition need = {.thing = THING_SLOT, .id = (uint32_t)p->slot.n};
        new_slot(in, index, op, true);
        set_open_request(in, op->request, need);
        wait_here(in, index, need);
    } else {
        vec_push(&p->probe, (struct probe){.rank = in->rank,
                                           .from = op->peer,
                                           .told_from = e->returned ? e->source : RANK_NONE,
                                           .context = op->context,
                                           .tag = op->tag,
                                           .told_tag = e->tag,
                                           .op = index,
                                           .after = in->halt,
                                           .mailbox = mailbox_of(p, in->rank, op->context),
                                           .next_slot = (uint32_t)p->slot.n});
        open_halt(in, index)->probe = (int32_t)p->probe.n - 1;
    }
    p->halt.at[in->halt].firm = op->kind == OP_IPROBE;
}

/* The execution may come from anywhere: what is no message that was taken, and not received, says nothing. */
static void read_taken(struct execution_reader *in, const struct op *op)
{
    struct program *p = in->program;
    struct return_condition need;
    if (!take_request(in, op->request, &need) || need.thing != THING_SLOT || p->slot.at[need.id].received != HALT_NEVER)
        return;
    in->adjacent = false;
    p->slot.at[need.id].received = in->halt;
    vec_push(&p->receipt, (struct receipt){in->rank, need.id, in->halt});
}

static void read_cancel(struct execution_reader *in, uint32_t index, const struct op *op)
{
    struct program *p = in->program;
    struct return_condition need;
    if (!take_request(in, op->request, &need) || need.thing == THING_PART)
        return;
    in->adjacent = false;
    uint32_t posted = need.thing == THING_SEND ? p->send.at[need.id].op : p->recv.at[p->slot.at[need.id].first];
    const struct execution_op *e = &p->execution->rank[in->rank].op.at[posted];
    if (e->matched || e->escaped) {
        need.escapes = true;
        wait_here(in, index, need);
        p->halt.at[in->halt].firm = true;
        return;
    }
    if (need.thing == THING_SEND) {
        p->send.at[need.id].withdrawn = true;
        p->send.at[need.id].gone_after = in->halt;
        p->mailbox.at[p->send.at[need.id].mailbox].withdrawals = true;
    } else {
        p->slot.at[need.id].withdrawn = true;
        p->slot.at[need.id].gone_after = in->halt;
        p->mailbox.at[p->slot.at[need.id].mailbox].withdrawals = true;
    }
}

static void read_op(struct execution_reader *in, uint32_t index, const struct execution_op *e)
{
    switch ((enum op_kind)e->op->kind) {
    case OP_SEND:
        read_send(in, index, e->op);
        break;
    case OP_RECV:
        read_recv(in, index, e->op);
        break;
    case OP_COLL:
        read_coll(in, index, e->op);
        break;
    case OP_WAIT:
    case OP_TEST:
        read_completion(in, index, e);
        break;
    case OP_PROBE:
    case OP_IPROBE:
        read_probe(in, index, e);
        break;
    case OP_TAKEN:
        read_taken(in, e->op);
        break;
    case OP_CANCEL:
        read_cancel(in, index, e->op);
        break;
    case OP_DONE:
        set_done(in, e->op->request);
        break;
    case OP_FREE:
        drop_request(in, e->op->request);
        break;
    OP_CASES(OP_CHOICES) /* the control flow says which it was */
    OP_CASES(OP_LIFE)
    OP_CASES(OP_SETTINGS)
    OP_CASES(OP_REMARKS)
    OP_CASES(OP_SERVICES)
    OP_CASES(OP_ENDS)
        break;
    }
}

/* ---- slots of non-blocking receives ---- */

/*
 * Two receives posted between the same halts, with no other one of their rank
 * between them, and waited for at the same halt (or never).
 */
static bool slots_are_alike(const struct program *p, const struct slot *a, const struct slot *b)
{
    return a->rank == b->rank && !a->blocking && !b->blocking && !a->takes && !b->takes && !a->withdrawn &&
           !b->withdrawn && a->from == b->from && a->context == b->context && a->tag == b->tag &&
           a->after == b->after && a->waited == b->waited &&
           (a->waited < 0 || (p->halt.at[a->waited].others == 0 && !p->halt.at[a->waited].firm));
}

/* Is any of the receives in the list of a call that returns when one is complete? */
static void mark_chosen_from(const struct program *p, bool *chosen_from)
{
    for (size_t g = 0; g < p->halt.n; g++)
        for (uint32_t i = 0; i < p->halt.at[g].others; i++) {
            struct return_condition need = p->need.at[p->halt.at[g].first + p->halt.at[g].needs + i];
            if (need.thing == THING_SLOT)
                chosen_from[need.id] = true;
        }
}

static void renumber(struct program *p, const uint32_t *now)
{
    for (size_t i = 0; i < p->need.n; i++)
        if (p->need.at[i].thing == THING_SLOT)
            p->need.at[i].id = now[p->need.at[i].id];
    for (size_t i = 0; i < p->receipt.n; i++)
        p->receipt.at[i].slot = now[p->receipt.at[i].slot];
    for (size_t i = 0; i < p->probe.n; i++)
        p->probe.at[i].next_slot = now[p->probe.at[i].next_slot];
}

static void merge_slots(struct program *p)
{
    uint32_t *now = xcalloc(p->slot.n + 1, sizeof *now);
    bool *chosen_from = xcalloc(p->slot.n + 1, sizeof *chosen_from);
    uint32_t kept = 0;
    mark_chosen_from(p, chosen_from);
    for (size_t i = 0; i < p->slot.n; i++) {
        struct slot *slot = &p->slot.at[i], *last = kept ? &p->slot.at[kept - 1] : NULL;
        if (last && slots_are_alike(p, last, slot) && !chosen_from[i] && !chosen_from[i - 1])
            last->room += slot->room;
        else
            p->slot.at[kept++] = *slot;
        now[i] = kept - 1;
    }
    now[p->slot.n] = kept;
    p->slot.n = kept;
    renumber(p, now);
    free(chosen_from);
    free(now);
}

/* A halt that was merged into a later one is nobody's predecessor. */
static void link_gates(struct program *p)
{
    for (rank_t r = 0; r < p->ranks; r++) {
        halt_t last = HALT_START;
        for (halt_t g = p->first_halt[r]; g < p->first_halt[r + 1]; g++) {
            p->halt.at[g].before = last;
            if (!p->halt.at[g].merged)
                last = g;
        }
        p->last_halt[r] = last;
    }
}

/* ---- who can meet whom ---- */

static void add_to_pattern(struct program *p, uint32_t index)
{
    struct slot *slot = &p->slot.at[index];
    bool is_new;
    uint32_t pattern =
        find_or_add(&p->pattern_of, map_key2((uint64_t)slot->mailbox << 32 | (uint32_t)slot->from, (uint32_t)slot->tag),
                    p->pattern.n, &is_new);
    if (is_new)
        vec_push(&p->pattern, (struct pattern){.shared = p->mailbox.at[slot->mailbox].withdrawals});
    slot->pattern = pattern;
    vec_push(&p->pattern.at[pattern].slot, index);
}

static void sort_send(struct program *p, uint32_t index)
{
    struct send *send = &p->send.at[index];
    bool is_new;
    uint32_t channel =
        find_or_add(&p->channel_of, map_key2(send->mailbox, (uint64_t)send->rank), p->channel.n, &is_new);
    if (is_new)
        vec_push(&p->channel, (struct channel){0});
    send->place = (uint32_t)p->channel.at[channel].send.n;
    vec_push(&p->channel.at[channel].send, index);
    send->envelope = find_or_add(&p->envelope_of,
                                 map_key2((uint64_t)send->mailbox << 32 | (uint32_t)send->rank, (uint32_t)send->tag),
                                 p->envelope.n, &is_new);
    if (is_new) {
        vec_push(&p->envelope, (struct envelope_class){
                                   .from = send->rank, .tag = send->tag, .mailbox = send->mailbox, .channel = channel});
        vec_push(&p->mailbox.at[send->mailbox].envelope, send->envelope);
    }
    send->index = (uint32_t)p->envelope.at[send->envelope].send.n;
    vec_push(&p->envelope.at[send->envelope].send, index);
}

static int by_slot_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Only four patterns fit a send. */
static void find_slots(struct program *p, uint32_t id)
{
    struct envelope_class *envelope = &p->envelope.at[id];
    uint32_t patterns[4], n = 0;
    rank_t from[] = {envelope->from, RANK_ANY};
    int32_t tag[] = {envelope->tag, TAG_ANY};
    uint32_t pattern;
    for (int i = 0; i < 4; i++) {
        struct map_key key = map_key2((uint64_t)envelope->mailbox << 32 | (uint32_t)from[i & 1], (uint32_t)tag[i >> 1]);
        if (!map_get(&p->pattern_of, key, &pattern))
            continue;
        patterns[n++] = pattern;
        vec_push(&p->pattern.at[pattern].envelope, id);
        for (size_t k = 0; k < p->pattern.at[pattern].slot.n; k++)
            vec_push(&envelope->slot, p->pattern.at[pattern].slot.at[k]);
    }
    for (uint32_t i = 0; i < n; i++)
        p->pattern.at[patterns[i]].shared |= n > 1;
    if (envelope->slot.n)
        qsort(envelope->slot.at, envelope->slot.n, sizeof *envelope->slot.at, by_slot_number);
}

static void find_nearest(const struct program *p, struct envelope_class *envelope)
{
    struct nearest now = {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}};
    envelope->nearest = xcalloc(envelope->slot.n + 1, sizeof *envelope->nearest);
    for (size_t i = 0; i < envelope->slot.n; i++) {
        const struct slot *slot = &p->slot.at[envelope->slot.at[i]];
        envelope->nearest[i] = now;
        if (!slot->withdrawn)
            now.slot[(slot->from == RANK_ANY) * 2 + (slot->tag == TAG_ANY)] = envelope->slot.at[i];
    }
    envelope->nearest[envelope->slot.n] = now;
}

void program_init(struct program *p, const struct execution *execution, bool merge)
{
    *p = (struct program){.execution = execution,
                          .ranks = execution->ranks,
                          .merges = merge,
                          .first_halt = xcalloc((size_t)execution->ranks + 1, sizeof(halt_t)),
                          .last_halt = xcalloc((size_t)execution->ranks, sizeof(halt_t))};
    for (rank_t r = 0; r < p->ranks; r++)
        for (size_t i = 0; i < execution->rank[r].op.n; i++)
            if (execution->rank[r].op.at[i].op->kind == OP_CONTEXT)
                read_context(&(struct execution_reader){.program = p}, execution->rank[r].op.at[i].op);
    for (rank_t r = 0; r < p->ranks; r++) {
        struct execution_reader in = {.program = p, .rank = r, .halt = HALT_START};
        p->first_halt[r] = (halt_t)p->halt.n;
        for (size_t i = 0; i < execution->rank[r].op.n; i++)
            read_op(&in, (uint32_t)i, &execution->rank[r].op.at[i]);
        vec_release(&in.open);
        vec_release(&in.active);
        vec_release(&in.done);
    }
    p->first_halt[p->ranks] = (halt_t)p->halt.n;
    if (merge)
        merge_slots(p);
    link_gates(p);
    for (size_t i = 0; i < p->slot.n; i++) {
        vec_push(&p->mailbox.at[p->slot.at[i].mailbox].slot, (uint32_t)i);
        add_to_pattern(p, (uint32_t)i);
    }
    for (size_t i = 0; i < p->send.n; i++)
        sort_send(p, (uint32_t)i);
    for (size_t i = 0; i < p->envelope.n; i++) {
        find_slots(p, (uint32_t)i);
        find_nearest(p, &p->envelope.at[i]);
    }
}

void program_release(struct program *p)
{
    for (size_t i = 0; i < p->envelope.n; i++) {
        vec_release(&p->envelope.at[i].send);
        vec_release(&p->envelope.at[i].slot);
        free(p->envelope.at[i].nearest);
    }
    for (size_t i = 0; i < p->channel.n; i++)
        vec_release(&p->channel.at[i].send);
    for (size_t i = 0; i < p->mailbox.n; i++) {
        vec_release(&p->mailbox.at[i].slot);
        vec_release(&p->mailbox.at[i].envelope);
    }
    for (size_t i = 0; i < p->pattern.n; i++) {
        vec_release(&p->pattern.at[i].slot);
        vec_release(&p->pattern.at[i].envelope);
    }
    vec_release(&p->halt);
    vec_release(&p->need);
    vec_release(&p->send);
    vec_release(&p->slot);
    vec_release(&p->recv);
    vec_release(&p->receipt);
    vec_release(&p->part);
    vec_release(&p->listed);
    vec_release(&p->probe);
    vec_release(&p->envelope);
    vec_release(&p->channel);
    vec_release(&p->mailbox);
    vec_release(&p->comm);
    vec_release(&p->pattern);
    map_release(&p->part_of);
    map_release(&p->mailbox_of);
    map_release(&p->envelope_of);
    map_release(&p->channel_of);
    map_release(&p->pattern_of);
    map_release(&p->comm_of);
    free(p->first_halt);
    free(p->last_halt);
}

bool send_may_be_buffered(const struct send *send, uint64_t slack)
{
    return send->mode == SEND_BUFFERED ||
           (send->mode != SEND_SYNCHRONOUS && (slack == SLACK_INFINITE || send->bytes < slack));
}

uint32_t program_part(const struct program *p, const struct collective_call *part, uint32_t position)
{
    return map_find(&p->part_of, part_key(part->comm, part->turn, position), UINT32_MAX);
}
