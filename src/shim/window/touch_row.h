/*
 * touch_row -- addresses that follow each other at the same distance.
 */
#ifndef SHIM_WINDOW_TOUCH_ROW_H
#define SHIM_WINDOW_TOUCH_ROW_H

#include <stdbool.h>
#include <stdint.h>

struct touch_row {
    uintptr_t first;
    intptr_t distance;
    uint32_t count; /* at least 1 */
};

static inline uintptr_t touch_row_nth(const struct touch_row *row, uint32_t n)
{
    return row->first + (uintptr_t)(row->distance * (intptr_t)n);
}

/* Whether an address is among those of a row, or can become one. */
static inline bool touch_row_join(struct touch_row *row, uintptr_t start)
{
    if (row->count == 1 && start != row->first)
        row->distance = (intptr_t)(start - row->first);
    intptr_t from_first = (intptr_t)(start - row->first);
    if (row->distance == 0 || from_first % row->distance != 0)
        return start == row->first;
    intptr_t number = from_first / row->distance;
    if (number < 0 || number > (intptr_t)row->count || row->count == UINT32_MAX)
        return false;
    row->count += number == (intptr_t)row->count;
    return true;
}

#endif
