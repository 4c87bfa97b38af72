/*
 * remarks -- what this rank does with windows, told where it does it (OP_ACCESS, OP_WINDOW of call/window.h).
 *
 * A put is sent by the call that ends its epoch, which is neither where it began nor the line that the program's author looks for; and
 * a flush that has nothing to wait for sends nothing.  Whoever compares accesses needs both.
 */
#ifndef SHIM_WINDOW_REMARKS_H
#define SHIM_WINDOW_REMARKS_H

#include "shim/window/epoch.h"

void remark_access(const struct window *, int member, enum access_epoch, const struct window_access *,
                   const struct window_piece *);

/* This rank has stored there itself since its memory was last looked at. */
void remark_stores(const struct window *, int member, const struct window_piece *, uint32_t pieces);

/* The window is there, with its memory. */
void remark_opened(const struct window *);

/* `member`: the target, -1: all. */
void remark_event(const struct window *, int member, enum window_event);

#endif
