#include "shim/window/epoch.h"

#include "shim/core/complaint.h"

static int rank_of(const struct window *w, int member)
{
    return (int)w->target[member].rank;
}

/* The last fence promised that no access follows: it has begun an epoch after all. */
static void break_fence_promise(struct window *w)
{
    complain_beside(COMPLAINT_RMA_ASSERT, CALL_Win_fence, w->fence_place, shim.place,
                    "MPI_Win_fence was given MPI_MODE_NOSUCCEED, but %s follows it", call_name(shim.call));
    w->fence_open = true;
    w->fence_ended = false;
}

static int no_epoch(struct window *w, int member)
{
    return epoch_error(
        w, "nothing allows to access the window of rank %d here, no MPI_Win_fence, MPI_Win_start or MPI_Win_lock",
        rank_of(w, member));
}

int epoch_of_access(struct window *w, int member, enum access_epoch *epoch)
{
    const struct target *target = &w->target[member];
    if (w->started && !target->started)
        return epoch_error(w, "rank %d is not in the group of MPI_Win_start", rank_of(w, member));
    if (w->started) {
        *epoch = ACCESS_STARTED;
    } else if (target->lock != LOCK_NONE) {
        *epoch = ACCESS_LOCKED;
    } else if (w->locks) {
        return epoch_error(w, "the window of rank %d is not locked, but that of another rank is", rank_of(w, member));
    } else if (w->fence_open || w->fence_ended) {
        if (w->fence_ended)
            break_fence_promise(w);
        w->fence_used = true;
        *epoch = ACCESS_FENCE;
    } else {
        return no_epoch(w, member);
    }
    return MPI_SUCCESS;
}

struct access_way epoch_way(const struct window *w, int member, enum access_epoch epoch)
{
    const struct target *target = &w->target[member];
    if (epoch == ACCESS_STARTED)
        return (struct access_way){.counted = true, .held = true, .after = target->rank};
    return (struct access_way){.held = !target->unchecked, .shared = window_lock_overtakes(w, target->lock), .after = window_lock_of(w, member)};
}

/* A fence begins an epoch only if accesses follow. */
static void forget_fence(struct window *w)
{
    w->fence_open = w->fence_ended = false;
}

static int no_start_or_lock(struct window *w)
{
    if (w->started)
        return epoch_error(w, "the epoch of MPI_Win_start is not over: MPI_Win_complete is missing");
    if (w->lock_all)
        return epoch_error(w, "the window is locked by MPI_Win_lock_all: MPI_Win_unlock_all is missing");
    if (w->locks)
        return epoch_error(w, "the window is locked: MPI_Win_unlock is missing");
    return MPI_SUCCESS;
}

static int no_accesses_since_fence(struct window *w)
{
    if (w->fence_open && w->fence_used)
        return epoch_error(w,
                           "the epoch of MPI_Win_fence is not over: there were accesses since, and no further fence");
    return MPI_SUCCESS;
}

static int nothing_posted(struct window *w)
{
    if (w->posted)
        return epoch_error(w, "the epoch of MPI_Win_post is not over: MPI_Win_wait is missing");
    return MPI_SUCCESS;
}

int epoch_begins_fence(struct window *w)
{
    int rc = no_start_or_lock(w);
    return rc == MPI_SUCCESS ? nothing_posted(w) : rc;
}

int epoch_begins_start(struct window *w)
{
    int rc = no_start_or_lock(w);
    if (rc == MPI_SUCCESS)
        rc = no_accesses_since_fence(w);
    if (rc == MPI_SUCCESS)
        forget_fence(w);
    return rc;
}

int epoch_begins_post(struct window *w)
{
    int rc = nothing_posted(w);
    if (rc == MPI_SUCCESS)
        rc = no_accesses_since_fence(w);
    if (rc == MPI_SUCCESS && w->target[w->comm->rank].lock != LOCK_NONE && !w->lock_all)
        rc = epoch_error(w, "this rank has locked its own window, which must not be exposed then");
    if (rc == MPI_SUCCESS)
        forget_fence(w);
    return rc;
}

int epoch_begins_lock(struct window *w, int member)
{
    if (w->no_locks)
        return error_raise_on_window(w->handle, MPI_ERR_RMA_SYNC, COMPLAINT_RMA_ASSERT,
                                     "the window was made with the info key no_locks, so it must not be locked");
    if (w->no_more_locks)
        return error_raise_on_window(w->handle, MPI_ERR_RMA_SYNC, COMPLAINT_RMA_ASSERT,
                                     "MPI_Win_set_info was given the info key no_locks, so the window must not be locked any more");
    if (w->started)
        return epoch_error(w, "the epoch of MPI_Win_start is not over: MPI_Win_complete is missing");
    if (w->lock_all)
        return epoch_error(w, "the window is locked by MPI_Win_lock_all already");
    if (member < 0 && w->locks)
        return epoch_error(w, "the window is locked by MPI_Win_lock already");
    if (member >= 0 && w->target[member].lock != LOCK_NONE)
        return epoch_error(w, "the window of rank %d is locked by this rank already", rank_of(w, member));
    if (w->posted && member == w->comm->rank)
        return epoch_error(w, "this rank has exposed its own window by MPI_Win_post, which must not be locked then");
    int rc = no_accesses_since_fence(w);
    if (rc == MPI_SUCCESS)
        forget_fence(w);
    return rc;
}

int epoch_needs_lock(struct window *w, int member)
{
    if (w->lock_all || (member < 0 && w->locks))
        return MPI_SUCCESS;
    if (member < 0)
        return epoch_error(w, "the window is not locked");
    if (w->target[member].lock == LOCK_NONE)
        return epoch_error(w, "the window of rank %d is not locked by this rank", rank_of(w, member));
    return MPI_SUCCESS;
}

int epoch_is_over(struct window *w)
{
    int rc = epoch_begins_fence(w);
    return rc == MPI_SUCCESS ? no_accesses_since_fence(w) : rc;
}

/*
 * Whoever goes from fence to fence needs nothing else.  One fence alone may have been to begin with, before others lock
 * the window, of which this rank knows nothing.
 */
bool epoch_is_passive(const struct window *w)
{
    if (w->no_locks || w->posted || w->started)
        return false;
    return w->was_locked || !w->fence_open || (w->fences < 2 && !w->fence_used);
}
