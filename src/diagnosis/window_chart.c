#include "diagnosis/window_chart.h"

#include "call/window.h"

void window_chart_release(struct window_chart *windows)
{
    map_release(&windows->windows);
    map_release(&windows->first);
    map_release(&windows->last);
    vec_release(&windows->mail);
    map_release(&windows->first_atomic);
    map_release(&windows->last_atomic);
    vec_release(&windows->atomic);
}

static int32_t window_at(struct window_chart *windows, uint32_t slot, rank_t owner)
{
    struct map_key key = map_key2(slot, (uint64_t)owner);
    uint32_t at;
    if (map_get(&windows->windows, key, &at))
        return (int32_t)at;
    at = (uint32_t)windows->chart->windows.n;
    map_put(&windows->windows, key, at);
    vec_push(&windows->chart->windows, (struct chart_window){.owner = owner, .slot = slot});
    return (int32_t)at;
}

static void add_accessed_bytes(const struct op *op, struct act *act)
{
    const struct window_use *use = op_tail(op);
    const struct window_piece *piece = window_use_pieces(use);
    for (uint32_t i = 0; i < use->pieces; i++)
        vec_push(&act->ranges, (struct byte_range){piece[i].at, piece[i].bytes});
}

/* ---- remarks of accesses, and their messages ---- */

static bool is_atomic_remark(const struct op *op)
{
    const struct window_use *use = op_tail(op);
    return op->kind == OP_ACCESS && use->kind != WINDOW_PUT && use->kind != WINDOW_GET;
}

static bool is_atomic_message(const struct op *op)
{
    return op->kind == OP_SEND && op->context == KEEPER_CONTEXT && window_tag_kind(op->tag) == WINDOW_ATOMIC;
}

static bool is_another_part(const struct op *op)
{
    return op->kind == OP_ACCESS && ((const struct window_use *)op_tail(op))->part > 0;
}

void window_chart_see(struct window_chart *windows, const struct op *op, rank_t rank, struct act *before)
{
    uint32_t at = (uint32_t)windows->atomic.n, last;
    if (is_another_part(op) && before && before->kind == OP_ACCESS && !is_atomic_remark(op))
        add_accessed_bytes(op, before);
    if (!is_atomic_remark(op))
        return;
    struct map_key key = map_key2((uint64_t)rank + 1, (uint64_t)window_memory_keeper(windows->ranks, (uint32_t)op->slot, op->peer));
    vec_push(&windows->atomic, ((struct atomic_remark){.op = op}));
    if (map_get(&windows->first_atomic, key, &last) && map_get(&windows->last_atomic, key, &last))
        windows->atomic.at[last].next = at + 1;
    else
        map_put(&windows->first_atomic, key, at);
    map_put(&windows->last_atomic, key, at);
}

/* The last part of the last of so many accesses that were remarked and not sent yet, from a first one on. */
static struct atomic_remark *last_overtaken(struct window_chart *windows, uint32_t first, int64_t overtakes)
{
    struct atomic_remark *at = &windows->atomic.at[first];
    while (at->next) {
        struct atomic_remark *next = &windows->atomic.at[at->next - 1];
        overtakes -= !is_another_part(next->op);
        if (!overtakes)
            break;
        at = next;
    }
    return at;
}

/* What was remarked first of those that were not sent yet, or behind those that it overtakes, with all of its parts; `act` may be NULL. */
static void take_remarks(struct window_chart *windows, const struct op *message, rank_t rank, struct act *act)
{
    struct map_key key = map_key2((uint64_t)rank + 1, (uint64_t)message->peer);
    uint32_t first;
    if (!map_get(&windows->first_atomic, key, &first))
        return;
    struct atomic_remark *before = message->overtakes ? last_overtaken(windows, first, message->overtakes) : NULL;
    uint32_t next = before ? before->next : first + 1;
    bool begun = false;
    while (next && (!begun || is_another_part(windows->atomic.at[next - 1].op))) {
        begun = true;
        if (act)
            add_accessed_bytes(windows->atomic.at[next - 1].op, act);
        next = windows->atomic.at[next - 1].next;
    }
    if (before && !next)
        map_put(&windows->last_atomic, key, (uint32_t)(before - windows->atomic.at));
    if (before)
        before->next = next;
    else if (next)
        map_put(&windows->first_atomic, key, next - 1);
    else
        map_remove(&windows->first_atomic, key);
}

void window_chart_leave_out(struct window_chart *windows, const struct op *op, rank_t rank)
{
    if (is_atomic_message(op))
        take_remarks(windows, op, rank, NULL);
}

static void note_mail(struct window_chart *windows, const struct op *op, struct op_name name)
{
    struct map_key key = map_key((uintptr_t)op);
    uint32_t at = (uint32_t)windows->mail.n, before;
    vec_push(&windows->mail, (struct window_mail){.op = op, .name = name});
    if (map_get(&windows->last, key, &before))
        windows->mail.at[before].next = at + 1;
    else
        map_put(&windows->first, key, at);
    map_put(&windows->last, key, at);
}

void window_chart_complete(struct window_chart *windows, const struct op *op, struct op_name name, struct act *act)
{
    if (op->kind == OP_ACCESS) {
        act->window = window_at(windows, (uint32_t)op->slot, op->peer);
        act->reads = ((const struct window_use *)op_tail(op))->kind == WINDOW_GET;
        add_accessed_bytes(op, act);
        return;
    }
    if (!op_posts(op) || op->context != KEEPER_CONTEXT || window_tag_is_of_file(op->tag))
        return;
    bool to_keeper = op->peer >= windows->ranks;
    uint32_t slot = to_keeper ? keeper_slot(windows->ranks, op->peer) : window_tag_more(op->tag);
    act->window = window_at(windows, slot, to_keeper ? keeper_owner(windows->ranks, op->peer) : op->peer);
    if (to_keeper)
        note_mail(windows, op, name);
    if (is_atomic_message(op))
        take_remarks(windows, op, name.rank, act);
}

/* Who was taken: of the same operation, in the order in which it was sent. */
static const struct window_mail *take_mail(struct window_chart *windows, const struct op *op)
{
    struct map_key key = map_key((uintptr_t)op);
    uint32_t at;
    if (!map_get(&windows->first, key, &at))
        return NULL;
    const struct window_mail *mail = &windows->mail.at[at];
    if (mail->next)
        map_put(&windows->first, key, mail->next - 1);
    else
        map_remove(&windows->first, key);
    return mail;
}

static void order_keeper(struct window_chart *windows, const struct trail *trail)
{
    struct gathering turns = {0};
    for (size_t n = 1; n < trail->n; n++) {
        const struct ret *ret = trail->ret[n];
        const struct window_mail *mail = ret && ret->items == 1 && ret->item->message ? take_mail(windows, ret->item->message) : NULL;
        if (mail)
            vec_push(&turns.members, mail->name);
    }
    if (turns.members.n > 1)
        vec_push(&windows->chart->turns, turns);
    else
        vec_release(&turns.members);
}

void window_chart_order(struct window_chart *windows, const struct run_view *view)
{
    uint32_t slots = 0;
    for (size_t i = 0; i < windows->chart->windows.n; i++)
        if (windows->chart->windows.at[i].slot >= slots)
            slots = windows->chart->windows.at[i].slot + 1;
    for (rank_t keeper = windows->ranks; windows->mail.n && keeper < window_players(windows->ranks, slots); keeper++)
        order_keeper(windows, &view->account->trail[keeper]);
}
