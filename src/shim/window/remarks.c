#include "shim/window/remarks.h"

#include <string.h>

#include "shim/channel.h"

static bool are_remarks_wanted(void)
{
    return channel_head()->accesses;
}

/* In as many parts as it takes: a record has to fit into the ring. */
static void post_use(const struct window *w, int member, struct window_use use, const struct window_piece *piece,
                     uint32_t pieces)
{
    enum { AT_A_TIME = WIRE_INLINE / sizeof *piece };
    for (uint32_t done = 0; done < pieces; done += use.pieces, use.part++) {
        struct op op = {.kind = OP_ACCESS,
                        .flags = OPF_WENT_ON,
                        .peer = w->target[member].rank,
                        .slot = (int32_t)w->slot,
                        .context = w->comm->context};
        use.pieces = pieces - done < AT_A_TIME ? pieces - done : AT_A_TIME;
        char *to = channel_begin(&op, sizeof use + use.pieces * sizeof *piece);
        memcpy(to, &use, sizeof use);
        memcpy(to + sizeof use, piece + done, use.pieces * sizeof *piece);
        channel_commit();
    }
}

static uint32_t keys_of_window(const struct window *w)
{
    return (w->same_operator ? WINDOW_SAME_OPERATOR : 0) | w->given_up;
}

void remark_access(const struct window *w, int member, enum access_epoch epoch, const struct window_access *access,
                   const struct window_piece *piece)
{
    static const uint16_t by[] = {
        [ACCESS_FENCE] = WINDOW_BY_FENCE, [ACCESS_STARTED] = WINDOW_BY_START, [ACCESS_LOCKED] = WINDOW_BY_LOCK};
    if (are_remarks_wanted())
        post_use(w, member,
                 (struct window_use){.kind = access->kind,
                                     .operator= access->operator,
                                     .epoch = by[epoch],
                                     .keys = w->keys_changed ? (uint16_t)(keys_of_window(w) | WINDOW_KEYS_CHANGED) : 0,
                                     .element = access->element},
                 piece, access->pieces);
}

void remark_stores(const struct window *w, int member, const struct window_piece *piece, uint32_t pieces)
{
    if (are_remarks_wanted())
        post_use(w, member,
                 (struct window_use){.kind = WINDOW_PUT, .epoch = WINDOW_BY_ITSELF, .passive = w->watched}, piece,
                 pieces);
}

/* Another window that has memory of this one; one is enough, for that tells where it lies. */
static void find_common_memory(const struct window *w, struct window_extent *extent)
{
    uintptr_t start = (uintptr_t)w->base, other_start;
    const struct window *other;
    for (uint32_t i = 0; (other = window_nth(i)); i++) {
        other_start = (uintptr_t)other->base;
        if (other == w || other->flavour == MPI_WIN_FLAVOR_DYNAMIC || start >= other_start + window_own_bytes(other) ||
            other_start >= start + window_own_bytes(w))
            continue;
        extent->within = other->slot + 1;
        extent->apart = (int64_t)(start - other_start);
        return;
    }
}

void remark_opened(const struct window *w)
{
    struct op op = {.kind = OP_WINDOW,
                    .flags = OPF_WENT_ON,
                    .peer = RANK_ANY,
                    .slot = (int32_t)w->slot,
                    .event = WINDOW_OPENED,
                    .context = w->comm->context};
    bool dynamic = w->flavour == MPI_WIN_FLAVOR_DYNAMIC;
    struct window_extent extent = {.bytes = window_own_bytes(w),
                                   .flags = keys_of_window(w) | (dynamic ? WINDOW_OF_ADDRESSES : 0)};
    if (!dynamic)
        find_common_memory(w, &extent);
    if (are_remarks_wanted())
        channel_post(&op, &extent, sizeof extent);
}

void remark_event(const struct window *w, int member, enum window_event event)
{
    struct op op = {.kind = OP_WINDOW,
                    .flags = OPF_WENT_ON,
                    .peer = member < 0 ? RANK_ANY : w->target[member].rank,
                    .slot = (int32_t)w->slot,
                    .event = event,
                    .context = w->comm->context};
    if (are_remarks_wanted())
        channel_post(&op, NULL, 0);
}
