#include "shim/window/window.h"

#include "shim/core/error.h"

static struct window *window_in[WINDOW_SLOTS]; /* by slot */
static uint64_t used;                          /* a bit for each slot */

uint64_t window_slots_used(void)
{
    return used;
}

void window_enter(struct window *w)
{
    window_in[w->slot] = w;
    used |= UINT64_C(1) << w->slot;
    shim.has_windows = true;
}

void window_leave(const struct window *w)
{
    window_in[w->slot] = NULL;
    used &= ~(UINT64_C(1) << w->slot);
    shim.has_windows = used != 0;
}

struct window *window_find(MPI_Win handle)
{
    for (uint64_t left = used; left; left &= left - 1) {
        struct window *w = window_in[__builtin_ctzll(left)];
        if (w->handle == handle)
            return w;
    }
    return NULL;
}

struct window *window_nth(uint32_t n)
{
    uint64_t left = used;
    while (n-- && left)
        left &= left - 1;
    return left ? window_in[__builtin_ctzll(left)] : NULL;
}

int window_not_found(void)
{
    return error_argument(NULL, MPI_ERR_WIN, "the window is MPI_WIN_NULL, was freed, or is none");
}
