#include "shim/clock/window_remarks.h"

#include <stdlib.h>
#include <string.h>

#include "shim/clock/board.h"
#include "shim/clock/ledger.h"
#include "shim/core/library_code.h"

/* A file is not to grow without end where a rank spins. */
enum { MOST_REMARKS = 1 << 18 };
static uint32_t remarks;

uint32_t window_remarks_made(void)
{
    return remarks;
}

static struct op remark_on(const struct clocked_window *w, int member, enum op_kind kind)
{
    return (struct op){.kind = kind,
                       .call = shim.call,
                       .flags = OPF_WENT_ON,
                       .peer = member < 0 ? RANK_ANY : w->comm->local->rank[member],
                       .slot = w->slot,
                       .context = w->comm->context,
                       .place = (uintptr_t)shim.place};
}

void remark_put(struct op op, const void *tail, size_t bytes)
{
    if (remarks == MOST_REMARKS)
        return;
    if (++remarks == MOST_REMARKS) {
        op.kind = OP_WINDOW;
        op.event = WINDOW_UNTOLD;
        bytes = 0;
    }
    ledger_remark(&op, tail, bytes);
}

void remark_of_window(const struct clocked_window *w, int member, enum window_event event)
{
    struct op op = remark_on(w, member, OP_WINDOW);
    op.event = event;
    if (w->told)
        remark_put(op, NULL, 0);
}

void remark_use(const struct clocked_window *w, int member, struct window_use use, const struct window_piece *piece)
{
    size_t pieces = use.pieces * sizeof *piece;
    char *tail = shim_alloc(sizeof use + pieces);
    memcpy(tail, &use, sizeof use);
    memcpy(tail + sizeof use, piece, pieces);
    remark_put(remark_on(w, member, OP_ACCESS), tail, sizeof use + pieces);
    free(tail);
}

static void find_memory_in_common(const struct clocked_window *w, struct window_extent *extent)
{
    for (size_t i = 0; i < clocked_window_numbers(); i++) {
        const struct clocked_window *other = clocked_window_nth(i);
        if (!other || other == w || !other->told || !other->bytes || other->slot == BOARD_SLOTS - 1 ||
            w->base >= other->base + other->bytes || other->base >= w->base + w->bytes)
            continue;
        extent->within = (uint32_t)other->slot + 1;
        extent->apart = w->base - other->base;
        return;
    }
}

void remark_window(struct clocked_window *w, uint32_t flags)
{
    struct window_extent extent = {.bytes = w->bytes, .flags = flags};
    struct op op = remark_on(w, -1, OP_WINDOW);
    op.event = WINDOW_OPENED;
    if (w->bytes)
        find_memory_in_common(w, &extent);
    remark_put(op, &extent, sizeof extent);
}

/* Numbers of members that are not this rank's; those in `known` are no news. */
static void remark_heard(const struct clocked_window *w, int member, enum window_event event, const uint64_t *number,
                         uint64_t *known)
{
    int members = clocked_window_members(w), n = 0;
    struct window_hearsay *heard = shim_alloc((size_t)members * sizeof *heard);
    for (int i = 0; i < members; i++) {
        if (i != w->comm->rank && number[i] && (!known || known[i] != number[i]))
            heard[n++] = (struct window_hearsay){w->comm->local->rank[i], (uint32_t)number[i]};
        if (known)
            known[i] = number[i];
    }
    struct op op = remark_on(w, member, OP_WINDOW);
    op.event = event;
    op.bytes = (size_t)n * sizeof *heard;
    if (n || event == WINDOW_GRANTED)
        remark_put(op, heard, op.bytes);
    free(heard);
}

void remark_granted(struct clocked_window *w, int member)
{
    struct clocked_target *target = &w->target[member];
    if (!w->told || target->granted || target->unchecked)
        return;
    uint64_t *found =
        board_read(w, member, target->lock == CLOCKED_EXCLUSIVE ? BOARD_RELEASED : BOARD_RELEASED_ALONE);
    remark_heard(w, member, WINDOW_GRANTED, found, NULL);
    target->granted = true;
    free(found);
}

static void remark_fetched(struct clocked_window *w, int member)
{
    uint64_t *found = board_read(w, member, BOARD_CALLED);
    remark_heard(w, member, WINDOW_SEEN, found, NULL);
    w->target[member].fetches = false;
    free(found);
}

void remark_complete(struct clocked_window *w, int member, bool locally)
{
    int from = member < 0 ? 0 : member, until = member < 0 ? clocked_window_members(w) : member + 1;
    if (!w->told)
        return;
    for (int i = from; i < until; i++) {
        struct clocked_target *target = &w->target[i];
        if (target->lock != CLOCKED_NONE && (locally ? target->awaits : target->used))
            remark_granted(w, i);
        if (target->fetches)
            remark_fetched(w, i);
        target->awaits = false;
    }
    remark_of_window(w, member, locally ? WINDOW_FLUSHED_LOCALLY : WINDOW_FLUSHED);
}

/* An epoch without accesses at another rank may be over without the lock. */
void remark_released(struct clocked_window *w, int member)
{
    struct clocked_target *target = &w->target[member];
    if (!w->told)
        return;
    remark_of_window(w, member, WINDOW_RELEASED);
    if (!target->granted || target->unchecked)
        return;
    board_write(w, member, BOARD_RELEASED, remarks);
    if (target->lock == CLOCKED_EXCLUSIVE)
        board_write(w, member, BOARD_RELEASED_ALONE, remarks);
}

void remark_news(void)
{
    for (size_t i = 0; i < clocked_window_numbers(); i++) {
        struct clocked_window *w = clocked_window_nth(i);
        if (!w || !w->told)
            continue;
        const uint64_t *called = board_glance(w, BOARD_CALLED);
        if (memcmp(called, w->known, (size_t)clocked_window_members(w) * sizeof *called) == 0)
            continue;
        real_must(Win_sync, w->board);
        remark_heard(w, -1, WINDOW_NEWS_CAME, called, w->known);
    }
}
