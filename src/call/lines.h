/*
 * lines -- addresses that stand for lines of scripts (shim/core/script.h).
 *
 * Each script has a slot, which begins with a mapping of its file; a place is as many bytes from
 * there as the number of the line.  Far from where Linux puts anything by itself.
 */
#ifndef CALL_LINES_H
#define CALL_LINES_H

#include <stdbool.h>
#include <stdint.h>

#define LINES_START UINT64_C(0x2a0000000000)
#define LINES_SLOT (UINT64_C(1) << 24)
#define LINES_SLOTS (UINT64_C(1) << 16)

static inline bool lines_have(uint64_t address)
{
    return address >= LINES_START && address < LINES_START + LINES_SLOTS * LINES_SLOT;
}

#endif
