/*
 * lock -- passive targets: locks, flushes, and what they complete.
 *
 * A lock is a message to its keeper, which receives it when it grants the lock.  MPI lets MPI_Win_lock return before
 * that, except where loads and stores follow, since the window is the caller's own, or shared; accesses are held back
 * until then.
 */
#include "shim/virtual/window_locks.h"
#include "shim/window/origin.h"
#include "shim/window/outbox.h"
#include "shim/window/private_copy.h"
#include "shim/window/remarks.h"

static int check_member(const struct window *w, int rank)
{
    if (rank >= 0 && rank < window_members(w))
        return MPI_SUCCESS;
    return error_raise_on_window(w->handle, MPI_ERR_RANK, COMPLAINT_INVALID_ARGUMENT, "the rank is %d, of %d ranks",
                                 rank, window_members(w));
}

/* ---- locks ---- */

static uint32_t order_flags(const struct window *w, enum target_lock lock)
{
    return OPF_AFTER | (window_lock_overtakes(w, lock) ? OPF_AFTER_SHARED : 0);
}

static void lock_target(struct window *w, int member, enum target_lock lock, int assert)
{
    struct target *target = &w->target[member];
    static const struct window_lock_message shared = {.kind = WINDOW_LOCK_SHARED};
    uint32_t mode = order_flags(w, lock) | (window_is_loaded_from(w, member) ? OPF_SYNCHRONOUS : 0);
    rank_t keeper = window_lock_of(w, member);
    target->lock = lock;
    target->unchecked = assert &MPI_MODE_NOCHECK;
    target->locked_at = shim.place;
    target->ticket = 0;
    target->granted = false;
    if (target->unchecked) {
        keeper_remark(w, member, lock == LOCK_EXCLUSIVE ? WINDOW_HELD_ALONE : WINDOW_HELD_SHARED);
        return;
    }
    if (w->shows_locks)
        target->ticket = window_lock_obtain(target->rank, w->slot, lock == LOCK_EXCLUSIVE);
    struct waiting_mail request = {keeper, WINDOW_EXCLUSIVE, mode, target->ticket, NULL, 0};
    if (lock == LOCK_SHARED)
        request = (struct waiting_mail){keeper, WINDOW_SHARED, mode, target->ticket, &shared, sizeof shared};
    keeper_send_waiting(w, &request);
}

static void unlock_target(struct window *w, int member)
{
    static const struct window_lock_message release = {.kind = WINDOW_RELEASE};
    struct target *target = &w->target[member];
    rank_t keeper = window_lock_of(w, member);
    bool alone = target->lock == LOCK_EXCLUSIVE;
    uint32_t order = order_flags(w, target->lock);
    target->lock = LOCK_NONE;
    if (target->unchecked) {
        keeper_remark(w, member, WINDOW_LET_GO);
        return;
    }
    keeper_send(&(struct keeper_mail){.to = keeper,
                                      .tag = alone ? WINDOW_GIVES_BACK : WINDOW_SHARED,
                                      .flags = order,
                                      .after = keeper,
                                      .ticket = target->ticket | (target->ticket && alone ? TICKET_ALONE : 0),
                                      .head = &release,
                                      .head_bytes = sizeof release});
    if (ticket_is_granted(target->ticket))
        window_lock_give_back(target->rank, w->slot, alone);
}

int body_Win_lock(int lock_type, int rank, int assert, MPI_Win win)
{
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    if (rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (lock_type != MPI_LOCK_EXCLUSIVE && lock_type != MPI_LOCK_SHARED)
        return error_raise_on_window(w->handle, MPI_ERR_LOCKTYPE, COMPLAINT_INVALID_ARGUMENT,
                                     "there is no lock type %d", lock_type);
    int rc = check_member(w, rank);
    if (rc == MPI_SUCCESS)
        rc = epoch_begins_lock(w, rank);
    if (rc != MPI_SUCCESS)
        return rc;
    w->locks++;
    w->was_locked = true;
    lock_target(w, rank, lock_type == MPI_LOCK_EXCLUSIVE ? LOCK_EXCLUSIVE : LOCK_SHARED, assert);
    if (window_is_loaded_from(w, rank)) {
        private_copy_refresh(w);
        remark_event(w, -1, WINDOW_SYNCED);
    }
    return MPI_SUCCESS;
}

int body_Win_lock_all(int assert, MPI_Win win)
{
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    int rc = epoch_begins_lock(w, -1);
    if (rc != MPI_SUCCESS)
        return rc;
    w->lock_all = w->was_locked = true;
    for (int own = 0; own < 2; own++) /* what the call has to wait for comes last: the others may be granted meanwhile */
        for (int i = 0; i < window_members(w); i++)
            if (window_is_loaded_from(w, i) == (own == 1))
                lock_target(w, i, LOCK_SHARED, assert);
    private_copy_refresh(w);
    remark_event(w, -1, WINDOW_SYNCED);
    return MPI_SUCCESS;
}

/* ---- what they complete ---- */

/*
 * Of one member, or (-1) of all: at the target, or `locally`, which is to say that results are there.  What this rank
 * has stored to its own window was published when the call began (private_copies.h).  What it has put to memory that it
 * loads from itself is there for its loads when it is complete: the model is unified (12.4).
 */
static void complete_accesses(struct window *w, int member, bool locally)
{
    int from = member < 0 ? 0 : member, until = member < 0 ? window_members(w) : member + 1;
    bool changes_own = false;
    origin_check(w, member);
    outbox_let_go(w, member, locally);
    for (int i = from; i < until; i++) {
        if (!locally || w->target[i].queue.results)
            outbox_send(w, i, ACCESS_LOCKED);
        changes_own |= !locally && window_is_loaded_from(w, i) && keeper_awaits_writes(w, i);
    }
    keeper_hear(w, member, locally);
    origin_return(w, member);
    remark_event(w, member, locally ? WINDOW_FLUSHED_LOCALLY : WINDOW_FLUSHED);
    if (changes_own)
        private_copy_refresh(w);
}

int body_Win_unlock(int rank, MPI_Win win)
{
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    if (rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    int rc = check_member(w, rank);
    if (rc == MPI_SUCCESS && w->lock_all)
        rc = epoch_error(w, "the window was locked by MPI_Win_lock_all, which MPI_Win_unlock_all ends");
    if (rc == MPI_SUCCESS)
        rc = epoch_needs_lock(w, rank);
    if (rc != MPI_SUCCESS)
        return rc;
    complete_accesses(w, rank, false);
    unlock_target(w, rank);
    w->locks--;
    w->stored = false;
    return MPI_SUCCESS;
}

int body_Win_unlock_all(MPI_Win win)
{
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    if (!w->lock_all)
        return epoch_error(w, "there was no MPI_Win_lock_all");
    complete_accesses(w, -1, false);
    for (int i = 0; i < window_members(w); i++)
        unlock_target(w, i);
    w->lock_all = w->stored = false;
    return MPI_SUCCESS;
}

static int flush(MPI_Win win, int rank, bool all, bool locally)
{
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    if (!all && rank == MPI_PROC_NULL)
        return MPI_SUCCESS;
    int rc = all ? MPI_SUCCESS : check_member(w, rank);
    if (rc == MPI_SUCCESS)
        rc = epoch_needs_lock(w, all ? -1 : rank);
    if (rc == MPI_SUCCESS)
        complete_accesses(w, all ? -1 : rank, locally);
    return rc;
}

int body_Win_flush(int rank, MPI_Win win)
{
    return flush(win, rank, false, false);
}

int body_Win_flush_all(MPI_Win win)
{
    return flush(win, 0, true, false);
}

int body_Win_flush_local(int rank, MPI_Win win)
{
    return flush(win, rank, false, true);
}

int body_Win_flush_local_all(MPI_Win win)
{
    return flush(win, 0, true, true);
}

int body_Win_sync(MPI_Win win)
{
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    int rc = epoch_needs_lock(w, -1);
    if (rc == MPI_SUCCESS) {
        private_copy_refresh(w);
        remark_event(w, -1, WINDOW_SYNCED);
    }
    w->stored = false;
    return rc;
}
