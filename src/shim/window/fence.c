/*
 * fence -- MPI_Win_fence: all accesses since the last one are done, and new ones may begin.
 *
 * Each member tells each other one how many messages it will send there.  Who knows that, waits until so many have reached its
 * memory, and no longer: a fence that ends no epoch waits for nobody.
 */
#include <stdlib.h>
#include <string.h>

#include "shim/bodies/completion.h"
#include "shim/bodies/requests.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/virtual/coll.h"
#include "shim/window/outbox.h"
#include "shim/window/private_copy.h"

static void add_announced(struct request *r, const struct completion *done)
{
    uint64_t *total = r->state, announced;
    const struct piece *piece = completion_pieces(done);
    for (uint32_t i = 0; i < done->pieces; i++) {
        if (piece[i].bytes != sizeof announced)
            continue;
        memcpy(&announced, arena_at(piece[i].payload), sizeof announced);
        *total += announced;
    }
}

/* How many messages all members together send to this one; if nobody is waited for, that is not known and none. */
static uint64_t announce_accesses(const struct window *w, bool waits)
{
    uint32_t members = (uint32_t)window_members(w);
    struct op_slice *slice = shim_alloc(members * sizeof *slice);
    for (uint32_t i = 0; i < members; i++)
        slice[i] = (struct op_slice){.to = (int32_t)i, .bytes = sizeof(uint64_t)};
    struct collective_part join = {
        .root = -1, .until = waits ? members : 0, .slice = slice, .slices = members, .ordered = members > 1};
    uint64_t total = 0;
    struct request *r = request_new(w->comm);
    r->finish = add_announced;
    r->state = &total;
    uint64_t *mine = coll_begin(r, &join, true);
    for (uint32_t i = 0; i < members; i++)
        mine[i] = outbox_count(w, (int)i);
    coll_commit();
    complete_blocking(r, MPI_STATUS_IGNORE);
    free(slice);
    return total;
}

static bool has_accesses(const struct window *w)
{
    for (int i = 0; i < window_members(w); i++)
        if (outbox_count(w, i))
            return true;
    return false;
}

/* What was promised of the time before this fence. */
static bool check_promises(const struct window *w, int assert, bool stored)
{
    bool nothing_before = assert & MPI_MODE_NOPRECEDE;
    if (nothing_before && has_accesses(w)) {
        complain(COMPLAINT_RMA_ASSERT, "MPI_Win_fence was given MPI_MODE_NOPRECEDE, but there were accesses since the last fence");
        nothing_before = false;
    }
    if (stored && assert & MPI_MODE_NOSTORE)
        complain(COMPLAINT_RMA_ASSERT, "MPI_Win_fence was given MPI_MODE_NOSTORE, but this rank has stored to its window");
    return nothing_before;
}

static void end_epoch(struct window *w, uint64_t announced)
{
    for (int i = 0; i < window_members(w); i++)
        outbox_send_counted(w, i);
    keeper_hear(w, -1, false);
    w->expected += announced;
    bool shared = w->flavour == MPI_WIN_FLAVOR_SHARED;
    bool changed = (announced || shared) && private_copy_await(w, w->expected);
    if (announced && changed && w->fence_no_put)
        complain(COMPLAINT_RMA_ASSERT,
                 "the MPI_Win_fence before this one was given MPI_MODE_NOPUT, but others have changed the window of this rank");
}

int body_Win_fence(int assert, MPI_Win win)
{
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    int rc = epoch_begins_fence(w);
    if (rc != MPI_SUCCESS)
        return rc;
    bool stored = private_copy_publish(w);
    bool nothing_before = check_promises(w, assert, stored && w->flavour != MPI_WIN_FLAVOR_SHARED);
    bool shared = w->flavour == MPI_WIN_FLAVOR_SHARED;
    bool waits = !nothing_before && (w->fence_open || shared);
    uint64_t announced = announce_accesses(w, waits);
    if (waits)
        end_epoch(w, announced);
    w->fence_open = !(assert & MPI_MODE_NOSUCCEED);
    w->fence_ended = !w->fence_open;
    w->fence_no_put = assert & MPI_MODE_NOPUT;
    w->fence_used = false;
    w->fences++;
    return MPI_SUCCESS;
}
