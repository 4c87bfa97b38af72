/*
 * fence -- MPI_Win_fence: all accesses since the last one are done, and new ones may begin.
 *
 * Each member tells each other one how many messages it will send there.  Who knows that, waits until so many have
 * reached its memory, and no longer: a fence that ends no epoch waits for nobody.
 */
#include <stdlib.h>
#include <string.h>

#include "shim/bodies/completion.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/virtual/coll.h"
#include "shim/window/fence_ahead.h"
#include "shim/window/origin.h"
#include "shim/window/outbox.h"
#include "shim/window/private_copy.h"
#include "shim/window/remarks.h"

/*
 * What a member tells another one: how many messages, and, above, what it promised in this fence and in the one before,
 * which may have waited for nobody.  If one member promises these, all must.
 */
enum { COUNT_BITS = 60 };
#define NOTHING_BEFORE (UINT64_C(1) << 60)
#define NOTHING_AFTER (UINT64_C(2) << 60)
#define ONE_EARLIER 2 /* bits higher */

static uint64_t promises_of(int assert)
{
    return (assert &MPI_MODE_NOPRECEDE ? NOTHING_BEFORE : 0) | (assert &MPI_MODE_NOSUCCEED ? NOTHING_AFTER : 0);
}

struct announcement {
    uint64_t promises; /* this rank's */
    uint64_t differ;   /* those that another one sees otherwise */
    uint64_t messages; /* to this rank */
};

static void take_announcements(struct request *r, const struct completion *done)
{
    struct announcement *all = r->state;
    const struct piece *piece = completion_pieces(done);
    for (uint32_t i = 0; i < done->pieces; i++) {
        uint64_t word;
        if (piece[i].bytes != sizeof word)
            continue;
        memcpy(&word, arena_at(piece[i].payload), sizeof word);
        all->messages += word & ((UINT64_C(1) << COUNT_BITS) - 1);
        all->differ |= (word ^ all->promises) >> COUNT_BITS << COUNT_BITS;
    }
}

static void tell_unlike_promise(const struct window *w, uint64_t differ)
{
    for (int earlier = 0; earlier < 2; earlier++, differ >>= ONE_EARLIER)
        if (differ & (NOTHING_BEFORE | NOTHING_AFTER))
            complain_at(COMPLAINT_RMA_ASSERT, CALL_Win_fence, earlier ? w->fence_place : shim.place, 1,
                        "MPI_Win_fence is given %s by some ranks only, and if one gives it, all must",
                        differ & NOTHING_BEFORE ? "MPI_MODE_NOPRECEDE" : "MPI_MODE_NOSUCCEED");
}

/* How many messages all members together send to this one; if nobody is waited for, that is not known and none. */
static uint64_t announce_accesses(struct window *w, uint64_t promises, bool waits)
{
    uint32_t members = (uint32_t)window_members(w);
    struct op_slice *slice = shim_alloc(members * sizeof *slice);
    for (uint32_t i = 0; i < members; i++)
        slice[i] = (struct op_slice){.to = (int32_t)i, .bytes = sizeof(uint64_t)};
    struct collective_part join = {
        .root = -1, .until = waits ? members : 0, .slice = slice, .slices = members, .ordered = members > 1};
    struct announcement all = {.promises = promises | w->fence_promises << ONE_EARLIER};
    struct request *r = request_new(w->comm);
    r->finish = take_announcements;
    r->state = &all;
    if (waits)
        fence_ahead_show(w);
    uint64_t *mine = coll_begin(r, &join, true);
    for (uint32_t i = 0; i < members; i++)
        mine[i] = all.promises | outbox_count(w, (int)i);
    coll_commit();
    complete_blocking(r, MPI_STATUS_IGNORE);
    free(slice);
    tell_unlike_promise(w, all.differ);
    return all.messages;
}

static bool has_accesses(const struct window *w)
{
    for (int i = 0; i < window_members(w); i++)
        if (outbox_count(w, i))
            return true;
    return false;
}

/* What was promised of the time before this fence; whether nothing has to be completed. */
static bool check_promises(const struct window *w, int assert)
{
    bool nothing_before = assert &MPI_MODE_NOPRECEDE;
    if (nothing_before && has_accesses(w)) {
        complain(COMPLAINT_RMA_ASSERT,
                 "MPI_Win_fence was given MPI_MODE_NOPRECEDE, but there were accesses since the last fence");
        nothing_before = false;
    }
    if (w->stored && assert &MPI_MODE_NOSTORE && w->flavour != MPI_WIN_FLAVOR_SHARED)
        complain(COMPLAINT_RMA_ASSERT,
                 "MPI_Win_fence was given MPI_MODE_NOSTORE, but this rank has stored to its window");
    return nothing_before;
}

/* Results may be brought to memory that is part of a window itself. */
static bool awaits_results(const struct window *w)
{
    for (int i = 0; i < window_members(w); i++)
        if (w->target[i].queue.results || w->target[i].atomics || w->target[i].awaited)
            return true;
    return false;
}

static void end_epoch(struct window *w, uint64_t announced)
{
    bool own = outbox_count(w, w->comm->rank) > 0, stores = awaits_results(w);
    origin_check(w, -1);
    for (int i = 0; i < window_members(w); i++)
        outbox_send_counted(w, i);
    keeper_hear(w, -1, false);
    origin_return(w, -1);
    w->expected += announced;
    bool shared = w->flavour == MPI_WIN_FLAVOR_SHARED;
    bool changed = announced && !own && fence_ahead_take(w, announced);
    if (!changed && (announced || shared)) {
        changed = private_copy_await(w, w->expected, !stores);
        fence_ahead_forget(w);
    }
    if (announced && changed && w->fence_no_put)
        complain_beside(COMPLAINT_RMA_ASSERT, CALL_Win_fence, w->fence_place, shim.place,
                        "MPI_Win_fence was given MPI_MODE_NOPUT, but others have changed the window of this rank "
                        "before the next one");
}

int body_Win_fence(int assert, MPI_Win win)
{
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    int rc = epoch_begins_fence(w);
    if (rc != MPI_SUCCESS)
        return rc;
    private_copy_publish(w);
    bool waits = !check_promises(w, assert) && (w->fence_open || w->flavour == MPI_WIN_FLAVOR_SHARED);
    uint64_t announced = announce_accesses(w, promises_of(assert), waits);
    if (waits)
        end_epoch(w, announced);
    w->fence_open = !(assert &MPI_MODE_NOSUCCEED);
    w->fence_ended = !w->fence_open;
    w->fence_no_put = assert &MPI_MODE_NOPUT;
    w->fence_promises = promises_of(assert);
    w->fence_place = shim.place;
    w->fence_used = w->stored = false;
    w->fences++;
    remark_event(w, -1, WINDOW_FENCED);
    return MPI_SUCCESS;
}
