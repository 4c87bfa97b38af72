/*
 * window_calls -- windows on a real job: the library has them; clocks go along, and what is done is told.
 *
 * MPI_Win_create and its like, MPI_Win_fence and MPI_Win_free are collectives of the members of a window, for which it has a communicator here.
 * Who gets a lock first, and which of two atomic accesses comes first, is for the library to decide: these calls are named as such.
 */
#include <stdlib.h>

#include "shim/bodies/entry.h"
#include "shim/clock/board.h"
#include "shim/clock/collective_call.h"
#include "shim/clock/comm.h"
#include "shim/clock/rank.h"
#include "shim/clock/window_remarks.h"
#include "shim/core/handle.h"
#include "shim/core/library_code.h"
#include "shim/objects/info_value.h"
#include "shim/objects/object.h"

#include "bodies.h"

#define NO_DATA {{-1, MPI_DATATYPE_NULL}, {-1, MPI_DATATYPE_NULL}}
#define NO_BYTES {{0, MPI_BYTE}, {-1, MPI_DATATYPE_NULL}}

static struct collective_call window_join(MPI_Comm comm)
{
    return (struct collective_call){.comm = comm, .root = -1, .op = MPI_OP_NULL, .blocking = true, .data = NO_DATA};
}

static uint64_t window_slots_taken(void)
{
    uint64_t taken = 0;
    for (size_t i = 0; i < clocked_window_numbers(); i++)
        if (clocked_window_nth(i))
            taken |= UINT64_C(1) << clocked_window_nth(i)->slot;
    return taken;
}

/* What the program brings to a window, or gets with it. */
struct window_part {
    const void *base;
    MPI_Aint bytes, unit;
    MPI_Info info;
    bool shared, dynamic;
};

/* Not a duplicate of the communicator: that would run the user's attribute callbacks. */
static int note_window(struct collective_call *j, int rc, const MPI_Win *win, struct window_part part)
{
    if (j->on && rc == MPI_SUCCESS) {
        struct clocked_window *w = shim_alloc(sizeof *w);
        *w = (struct clocked_window){.told = !part.shared, .base = part.base, .bytes = (uint64_t)part.bytes};
        real_must(Comm_split, j->comm, 0, j->on->rank, &w->members);
        comm_made(j->on, j->on->turns, w->members, MPI_COMM_NULL);
        object_freed(OBJECT_COMM, HANDLE_KEY(w->members)); /* never was the program's */
        w->comm = comm_find(w->members);
        if (w->told)
            board_open(w, (uint64_t)part.unit, window_slots_taken());
        clocked_window_add(*win, w);
        object_made(OBJECT_WINDOW, HANDLE_KEY(*win));
        if (w->told)
            remark_window(w, (info_says(part.info, "accumulate_ops", "same_op") ? WINDOW_SAME_OPERATOR : 0) | info_order_given_up(part.info) |
                                 (part.dynamic ? WINDOW_OF_ADDRESSES : 0));
    }
    return collective_call_end(j, rc);
}

int body_Win_create(void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    struct collective_call j = window_join(comm);
    collective_call_begin(&j);
    return note_window(&j, real.Win_create(base, size, (int)disp_unit, info, comm, win), win,
                       (struct window_part){base, size, disp_unit, info, false, false});
}

int body_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
    struct collective_call j = window_join(comm);
    collective_call_begin(&j);
    return note_window(&j, real.Win_create_dynamic(info, comm, win), win,
                       (struct window_part){NULL, 0, 1, info, false, true});
}

int body_Win_allocate(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    struct collective_call j = window_join(comm);
    collective_call_begin(&j);
    int rc = real.Win_allocate(size, (int)disp_unit, info, comm, baseptr, win);
    return note_window(&j, rc, win,
                       (struct window_part){rc == MPI_SUCCESS ? *(void **)baseptr : NULL, size, disp_unit, info, false, false});
}

int body_Win_allocate_shared(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
                             MPI_Win *win)
{
    struct collective_call j = window_join(comm);
    collective_call_begin(&j);
    return note_window(&j, real.Win_allocate_shared(size, (int)disp_unit, info, comm, baseptr, win), win,
                       (struct window_part){.info = info, .shared = true});
}

int body_Win_free(MPI_Win *win)
{
    struct clocked_window *w = clocked_window_find(*win);
    uint64_t key = HANDLE_KEY(*win);
    MPI_Win handle = *win;
    if (!w)
        return real.Win_free(win);
    struct collective_call j = window_join(w->members);
    collective_call_begin(&j);
    int rc = collective_call_end(&j, real.Win_free(win));
    if (rc != MPI_SUCCESS)
        return rc;
    remark_of_window(w, -1, WINDOW_CLOSED);
    if (w->told)
        board_close(w);
    clocked_window_remove(handle);
    object_freed(OBJECT_WINDOW, key);
    comm_forget(w->members);
    comm_drop(w->comm);
    free(w);
    return rc;
}

/* ---- epochs of all members ---- */

/* One that ends no epoch need not wait for anybody (doc/windows.md, W5). */
int body_Win_fence(int assert, MPI_Win win)
{
    struct clocked_window *w = clocked_window_find(win);
    if (!w) {
        rank_unsupported(shim.call, shim.place);
        return real.Win_fence(assert, win);
    }
    struct collective_call j = window_join(w->members);
    if (!w->fence_open || assert & MPI_MODE_NOPRECEDE)
        j = (struct collective_call){.comm = w->members, .root = -1, .op = MPI_OP_NULL, .blocking = true, .data = NO_BYTES};
    remark_news();
    collective_call_begin(&j);
    w->fence_open = !(assert & MPI_MODE_NOSUCCEED);
    int rc = collective_call_end(&j, real.Win_fence(assert, win));
    remark_of_window(w, -1, WINDOW_FENCED);
    return rc;
}

/* ---- epochs of some ---- */

/* The members of the window that are in a group of the program's, into `member`; how many. */
static int members_in_group(const struct clocked_window *w, MPI_Group group, int *member)
{
    MPI_Group all;
    int n = 0, size = clocked_window_members(w);
    int *position = shim_alloc((size_t)size * sizeof *position), *in_group = shim_alloc((size_t)size * sizeof *in_group);
    for (int i = 0; i < size; i++)
        position[i] = i;
    real_must(Comm_group, w->members, &all);
    real_must(Group_translate_ranks, all, size, position, group, in_group);
    real_must(Group_free, &all);
    for (int i = 0; i < size; i++)
        if (in_group[i] != MPI_UNDEFINED)
            member[n++] = i;
    free(position);
    free(in_group);
    return n;
}

int body_Win_post(MPI_Group group, int assert, MPI_Win win)
{
    struct clocked_window *w = clocked_window_find(win);
    rank_unsupported(shim.call, shim.place);
    if (w && w->told && group != MPI_GROUP_NULL) {
        w->origins = members_in_group(w, group, w->origin);
        remark_news();
        for (int i = 0; i < w->origins; i++)
            remark_of_window(w, w->origin[i], WINDOW_EXPOSED_TO);
        remark_of_window(w, -1, WINDOW_POSTED);
    }
    return real.Win_post(group, assert, win);
}

static int end_clocked_exposure(struct clocked_window *w, int rc, bool ended)
{
    if (!w || !w->told || rc != MPI_SUCCESS || !ended)
        return rc;
    for (int i = 0; i < w->origins; i++)
        remark_of_window(w, w->origin[i], WINDOW_HEARD);
    remark_of_window(w, -1, WINDOW_WAITED);
    w->origins = 0;
    return rc;
}

int body_Win_wait(MPI_Win win)
{
    return end_clocked_exposure(clocked_window_find(win), real.Win_wait(win), true);
}

int body_Win_test(MPI_Win win, int *flag)
{
    rank_unsupported(shim.call, shim.place);
    int rc = real.Win_test(win, flag);
    return end_clocked_exposure(clocked_window_find(win), rc, rc == MPI_SUCCESS && *flag);
}

int body_Win_start(MPI_Group group, int assert, MPI_Win win)
{
    struct clocked_window *w = clocked_window_find(win);
    rank_unsupported(shim.call, shim.place);
    if (w && w->told && group != MPI_GROUP_NULL) {
        int *member = shim_alloc((size_t)clocked_window_members(w) * sizeof *member);
        int n = members_in_group(w, group, member);
        for (int i = 0; i < n; i++) {
            w->target[member[i]].started = true;
            remark_of_window(w, member[i], WINDOW_STARTED);
        }
        free(member);
    }
    return real.Win_start(group, assert, win);
}

int body_Win_complete(MPI_Win win)
{
    struct clocked_window *w = clocked_window_find(win);
    bool told = w && w->told;
    for (int i = 0; told && i < clocked_window_members(w); i++)
        if (w->target[i].started) {
            w->target[i].started = false;
            remark_of_window(w, i, WINDOW_ENDED);
        }
    int rc = real.Win_complete(win);
    if (told && rc == MPI_SUCCESS)
        remark_of_window(w, -1, WINDOW_COMPLETED);
    return rc;
}

/* ---- locks ---- */

/* A rank's own window is locked when the call returns, for loads and stores follow. */
static void note_clocked_lock(struct clocked_window *w, int member, enum clocked_lock lock, int assert)
{
    struct clocked_target *target = &w->target[member];
    *target = (struct clocked_target){.unit = target->unit, .lock = lock, .unchecked = (assert & MPI_MODE_NOCHECK) != 0};
    if (!target->unchecked)
        remark_of_window(w, member, WINDOW_LOCKED);
    if (member == w->comm->rank) {
        remark_granted(w, member);
        remark_of_window(w, -1, WINDOW_SYNCED);
    }
}

int body_Win_lock(int lock_type, int rank, int assert, MPI_Win win)
{
    struct clocked_window *w = clocked_window_find(win);
    rank_unsupported(shim.call, shim.place);
    int rc = real.Win_lock(lock_type, rank, assert, win);
    if (w && w->told && rc == MPI_SUCCESS && rank >= 0)
        note_clocked_lock(w, rank, lock_type == MPI_LOCK_EXCLUSIVE ? CLOCKED_EXCLUSIVE : CLOCKED_SHARED, assert);
    return rc;
}

int body_Win_lock_all(int assert, MPI_Win win)
{
    struct clocked_window *w = clocked_window_find(win);
    rank_unsupported(shim.call, shim.place);
    int rc = real.Win_lock_all(assert, win);
    for (int i = 0; w && w->told && rc == MPI_SUCCESS && i < clocked_window_members(w); i++)
        note_clocked_lock(w, i, CLOCKED_SHARED, assert);
    return rc;
}

/* Its accesses are made complete before it is given back: only then it can be said who may know of them. */
static int end_lock(struct clocked_window *w, int member, MPI_Win win)
{
    int rc = w->target[member].used ? real.Win_flush(member, win) : MPI_SUCCESS;
    if (rc != MPI_SUCCESS)
        return rc;
    remark_complete(w, member, false);
    remark_released(w, member);
    w->target[member].lock = CLOCKED_NONE;
    return rc;
}

static bool is_locked_at(const struct clocked_window *w, int member)
{
    return w && w->told && member >= 0 && member < clocked_window_members(w) && w->target[member].lock != CLOCKED_NONE;
}

int body_Win_unlock(int rank, MPI_Win win)
{
    struct clocked_window *w = clocked_window_find(win);
    int rc = is_locked_at(w, rank) ? end_lock(w, rank, win) : MPI_SUCCESS;
    return rc == MPI_SUCCESS ? real.Win_unlock(rank, win) : rc;
}

int body_Win_unlock_all(MPI_Win win)
{
    struct clocked_window *w = clocked_window_find(win);
    int rc = MPI_SUCCESS;
    for (int i = 0; w && w->told && rc == MPI_SUCCESS && i < clocked_window_members(w); i++)
        if (is_locked_at(w, i))
            rc = end_lock(w, i, win);
    return rc == MPI_SUCCESS ? real.Win_unlock_all(win) : rc;
}

static int note_flush(MPI_Win win, int rank, bool locally, int rc)
{
    struct clocked_window *w = clocked_window_find(win);
    if (rc == MPI_SUCCESS && w && rank >= -1)
        remark_complete(w, rank, locally);
    return rc;
}

int body_Win_flush(int rank, MPI_Win win)
{
    int rc = real.Win_flush(rank, win);
    return rank >= 0 ? note_flush(win, rank, false, rc) : rc;
}

int body_Win_flush_all(MPI_Win win)
{
    return note_flush(win, -1, false, real.Win_flush_all(win));
}

int body_Win_flush_local(int rank, MPI_Win win)
{
    int rc = real.Win_flush_local(rank, win);
    return rank >= 0 ? note_flush(win, rank, true, rc) : rc;
}

int body_Win_flush_local_all(MPI_Win win)
{
    return note_flush(win, -1, true, real.Win_flush_local_all(win));
}

int body_Win_sync(MPI_Win win)
{
    struct clocked_window *w = clocked_window_find(win);
    int rc = real.Win_sync(win);
    if (w && rc == MPI_SUCCESS) {
        remark_news();
        remark_of_window(w, -1, WINDOW_SYNCED);
    }
    return rc;
}
