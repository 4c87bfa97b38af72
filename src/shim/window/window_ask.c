#include "shim/window/window_ask.h"

#include <string.h>

#include "shim/channel.h"

void window_announce_name(const struct window *w, const char *name)
{
    struct op op = {.kind = OP_CONTEXT_NAME, .context = w->comm->context};
    channel_post(&op, name, strnlen(name, MPI_MAX_OBJECT_NAME - 1) + 1);
}

int body_Win_get_group(MPI_Win win, MPI_Group *group)
{
    const struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    *group = group_handle(group_copy(w->comm->local));
    return MPI_SUCCESS;
}

int body_Win_set_name(MPI_Win win, const char *name)
{
    const struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    if (name)
        window_announce_name(w, name);
    return real.Win_set_name(win, name);
}

/* NULL: it is none of these, and the library has it. */
static void *predefined_attribute(struct window *w, int keyval)
{
    static int unified = MPI_WIN_UNIFIED;
    if (keyval == MPI_WIN_BASE)
        return w->base;
    return keyval == MPI_WIN_SIZE            ? (void *)&w->size
           : keyval == MPI_WIN_DISP_UNIT     ? &w->unit
           : keyval == MPI_WIN_CREATE_FLAVOR ? &w->flavour
           : keyval == MPI_WIN_MODEL         ? &unified
                                             : NULL;
}

/* What the library below has was made from memory that was there, or has none. */
int body_Win_get_attr(MPI_Win win, int keyval, void *attribute, int *flag)
{
    struct window *w = window_find(win);
    if (!w)
        return window_not_found();
    void *value = predefined_attribute(w, keyval);
    if (!value && keyval != MPI_WIN_BASE)
        return real.Win_get_attr(win, keyval, attribute, flag);
    *(void **)attribute = value;
    *flag = 1;
    return MPI_SUCCESS;
}
