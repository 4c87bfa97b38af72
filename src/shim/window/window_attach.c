/*
 * window_attach -- memory of dynamic windows, which comes and goes.
 */
#include "shim/core/error.h"
#include "shim/window/keeper_link.h"
#include "shim/window/private_copy.h"
#include "shim/window/remarks.h"

static int check_dynamic(const struct window *w)
{
    if (w->flavour == MPI_WIN_FLAVOR_DYNAMIC)
        return MPI_SUCCESS;
    return error_raise_on_window(w->handle, MPI_ERR_RMA_FLAVOR, COMPLAINT_INVALID_ARGUMENT,
                                 "the window was not made by MPI_Win_create_dynamic");
}

static bool overlaps_attached(const struct window *w, uint64_t at, uint64_t bytes)
{
    for (uint32_t i = 0; i < w->copies; i++)
        if (at < w->copy[i].at + w->copy[i].bytes && w->copy[i].at < at + bytes)
            return true;
    return false;
}

int body_Win_attach(MPI_Win win, void *base, MPI_Aint size)
{
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    int rc = check_dynamic(w);
    if (rc != MPI_SUCCESS)
        return rc;
    if (size < 0)
        return error_raise_on_window(w->handle, MPI_ERR_SIZE, COMPLAINT_INVALID_ARGUMENT, "the size is %lld",
                                     (long long)size);
    struct {
        struct window_message head;
        struct window_piece piece;
    } attach = {{.kind = WINDOW_ATTACH}, {(uint64_t)(uintptr_t)base, (uint64_t)size}};
    if (overlaps_attached(w, attach.piece.at, attach.piece.bytes))
        return error_raise_on_window(w->handle, MPI_ERR_RMA_ATTACH, COMPLAINT_INVALID_ARGUMENT,
                                     "some of the memory is attached already");
    private_copy_add(w, w->comm->rank, attach.piece.at, base, attach.piece.bytes);
    keeper_send(&(struct keeper_mail){.to = window_memory_of(w, w->comm->rank),
                                      .tag = WINDOW_CALM,
                                      .flags = OPF_CALM,
                                      .head = &attach,
                                      .head_bytes = sizeof attach,
                                      .rest = base,
                                      .rest_bytes = (size_t)size});
    return MPI_SUCCESS;
}

/* What others have put there until now stays in the memory. */
int body_Win_detach(MPI_Win win, const void *base)
{
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    int rc = check_dynamic(w);
    if (rc != MPI_SUCCESS)
        return rc;
    struct window_piece piece = {.at = (uint64_t)(uintptr_t)base};
    for (uint32_t i = 0; i < w->copies; i++) {
        if (w->copy[i].at != piece.at)
            continue;
        piece.bytes = w->copy[i].bytes;
        private_copy_refresh(w);
        remark_stores(w, w->comm->rank, &piece, 1); /* whatever comes of it, nobody may access it meanwhile */
        private_copy_remove(w, i);
        keeper_tell(w, (struct window_message){.kind = WINDOW_DETACH}, &piece, sizeof piece);
        return MPI_SUCCESS;
    }
    return error_raise_on_window(w->handle, MPI_ERR_RMA_ATTACH, COMPLAINT_INVALID_ARGUMENT,
                                 "no memory that begins there is attached");
}
