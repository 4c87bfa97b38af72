/*
 * program_notes -- loads and stores in windows that the program itself tells of (shim/program_tells.h), until the next call.
 */
#ifndef SHIM_WINDOW_PROGRAM_NOTES_H
#define SHIM_WINDOW_PROGRAM_NOTES_H

#include "shim/program_tells.h"
#include "shim/window/touch_row.h"

/* What one line did, at each address of a row. */
struct program_note {
    struct touch_row row;
    uint32_t bytes;
    bool stores;
    uint16_t older; /* 1 + the number of another one of the same line; 0: none */
    const void *place;
};

/* Whether it does. */
bool program_notes_exist(void);

/* From now on, of what it does from `start` on. */
void program_notes_listen(uintptr_t start, uintptr_t end);

/* No more; one after the other, and all are forgotten: NULL is the end.  `lost`: from there on there were too many; or NULL. */
const struct program_note *program_notes_next(const void **lost);

#endif
