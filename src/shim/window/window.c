#include "shim/window/window.h"

#include <string.h>

#include "shim/core/error.h"
#include "shim/window/slots.h"

/* By slot.  The room is never given back: then its address is the same in ranks that had the same windows in another order. */
static struct {
    struct window **at; /* owned */
    uint32_t n, room;
} windows;

void window_enter(struct window *w)
{
    if (windows.n == windows.room) {
        windows.room = windows.room ? 2 * windows.room : 32;
        windows.at = shim_realloc(windows.at, windows.room * sizeof *windows.at);
    }
    uint32_t at = windows.n++;
    for (; at > 0 && windows.at[at - 1]->slot > w->slot; at--)
        windows.at[at] = windows.at[at - 1];
    windows.at[at] = w;
    slots_take(w->slot);
    shim.has_windows = true;
}

void window_leave(const struct window *w)
{
    uint32_t at = 0;
    while (windows.at[at] != w)
        at++;
    memmove(&windows.at[at], &windows.at[at + 1], (--windows.n - at) * sizeof *windows.at);
    windows.at[windows.n] = NULL; /* whoever looks at the memory sees nothing of it */
    slots_leave(w->slot);
    shim.has_windows = windows.n != 0;
}

struct window *window_find(MPI_Win handle)
{
    for (uint32_t i = 0; i < windows.n; i++)
        if (windows.at[i]->handle == handle)
            return windows.at[i];
    return NULL;
}

struct window *window_nth(uint32_t n)
{
    return n < windows.n ? windows.at[n] : NULL;
}

int window_not_found(void)
{
    return error_argument(NULL, MPI_ERR_WIN, "the window is MPI_WIN_NULL, was freed, or is none");
}
