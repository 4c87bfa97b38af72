/*
 * window_memory -- windows whose memory is made with them: MPI_Win_allocate and MPI_Win_allocate_shared.
 *
 * A shared window is no shared memory here: every member has a private copy of every part.
 */
#include <string.h>

#include "shim/core/error.h"
#include "shim/core/library_code.h"
#include "shim/virtual/nodes.h"
#include "shim/window/private_copy.h"
#include "shim/window/window_make.h"

enum { PART_ALIGNMENT = 64 };

/* Zero: what a program reads there without having written it does not depend on chance. */
static char *make_block(struct window *w, uint64_t bytes)
{
    real_must(Alloc_mem, (MPI_Aint)(bytes + PART_ALIGNMENT), MPI_INFO_NULL, &w->block);
    uintptr_t start = ((uintptr_t)w->block + PART_ALIGNMENT - 1) & ~(uintptr_t)(PART_ALIGNMENT - 1);
    return memset((char *)start, 0, bytes);
}

static void *make_own_memory(struct window *w, const struct window_part *part)
{
    (void)part;
    char *memory = make_block(w, window_own_bytes(w));
    private_copy_add(w, w->comm->rank, 0, memory, window_own_bytes(w));
    return memory;
}

static uint64_t place_of_next(const struct window_part *part, uint64_t place, uint64_t bytes)
{
    uint64_t next = place + bytes;
    return part[0].apart ? (next + PART_ALIGNMENT - 1) & ~(uint64_t)(PART_ALIGNMENT - 1) : next;
}

/* Every member has a private copy of every part. */
static void *make_shared_memory(struct window *w, const struct window_part *part)
{
    uint64_t total = 0;
    for (int i = 0; i < window_members(w); i++)
        total = place_of_next(part, total, part[i].bytes);
    char *memory = make_block(w, total);
    uint64_t place = 0;
    for (int i = 0; i < window_members(w); i++) {
        private_copy_add(w, i, 0, memory + place, part[i].bytes);
        place = place_of_next(part, place, part[i].bytes);
    }
    return w->copy[w->comm->rank].memory;
}

static bool is_on_one_node(const struct comm *c)
{
    for (int i = 0; i < c->local->size; i++)
        if (node_of_rank(c->local->rank[i]) != node_of_rank(shim.rank))
            return false;
    return true;
}

/* The program may have declared its pointer as one to anything. */
static int give_base(int rc, void *memory, void *baseptr)
{
    if (rc == MPI_SUCCESS)
        memcpy(baseptr, &memory, sizeof memory);
    return rc;
}

int body_Win_allocate(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win)
{
    int rc = window_make(comm, size, disp_unit, MPI_WIN_FLAVOR_ALLOCATE, info, make_own_memory, NULL, win);
    return rc == MPI_SUCCESS ? give_base(rc, window_find(*win)->copy[0].memory, baseptr) : rc;
}

int body_Win_allocate_shared(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
                             MPI_Win *win)
{
    const struct comm *c = comm_find(comm);
    if (c && !is_on_one_node(c))
        return error_argument(c, MPI_ERR_RMA_SHARED, "the members of the communicator are on several nodes");
    int rc = window_make(comm, size, disp_unit, MPI_WIN_FLAVOR_SHARED, info, make_shared_memory, NULL, win);
    if (rc != MPI_SUCCESS)
        return rc;
    const struct window *w = window_find(*win);
    return give_base(rc, w->copy[w->comm->rank].memory, baseptr);
}

/* MPI_PROC_NULL: the first part that is not empty. */
int body_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr)
{
    const struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    if (w->flavour != MPI_WIN_FLAVOR_SHARED)
        return error_raise_on_window(w->handle, MPI_ERR_RMA_FLAVOR, COMPLAINT_INVALID_ARGUMENT,
                                     "the window was not made by MPI_Win_allocate_shared");
    int member = rank;
    for (member = rank == MPI_PROC_NULL ? 0 : rank; rank == MPI_PROC_NULL && member < window_members(w) - 1; member++)
        if (w->target[member].bytes)
            break;
    if (member < 0 || member >= window_members(w))
        return error_raise_on_window(w->handle, MPI_ERR_RANK, COMPLAINT_INVALID_ARGUMENT, "the rank is %d, of %d ranks",
                                     rank, window_members(w));
    bool nothing = rank == MPI_PROC_NULL && w->target[member].bytes == 0;
    *size = (MPI_Aint)w->target[member].bytes;
    *disp_unit = nothing ? 0 : (MPI_Aint)w->target[member].unit;
    return give_base(MPI_SUCCESS, nothing ? NULL : w->copy[member].memory, baseptr);
}
