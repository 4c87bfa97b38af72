#include "shim/clock/clocked_window.h"

#include "shim/core/handle.h"

static struct handle_map windows; /* of struct clocked_window, by the program's handle */

struct clocked_window *clocked_window_find(MPI_Win win)
{
    return handle_map_get(&windows, HANDLE_KEY(win));
}

size_t clocked_window_numbers(void)
{
    return windows.room;
}

struct clocked_window *clocked_window_nth(size_t n)
{
    return windows.slot[n].value;
}

void clocked_window_add(MPI_Win win, struct clocked_window *w)
{
    handle_map_put(&windows, HANDLE_KEY(win), w);
}

void clocked_window_remove(MPI_Win win)
{
    handle_map_remove(&windows, HANDLE_KEY(win));
}
