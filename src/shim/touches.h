/*
 * touches -- what the program loads from windows and stores there, when a run is looked at once more (call/touch.h).
 *
 * The fence (fence.h) is around all memory of windows then, whenever the program runs; or the program tells of them itself, in every run.
 * What is seen is noted here, and told before the next operation.  Buffers that the program gives to MPI calls count as well: those calls load and store for it.
 */
#ifndef SHIM_TOUCHES_H
#define SHIM_TOUCHES_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call/touch.h"
#include "shim/shim.h"

struct type;

/* Whether somebody wants to know what the program does with windows; asked where there are some. */
bool touches_of_windows_are_wanted(void);

/* And whether it takes a fence to find out: the program does not tell of them itself (program_tells.h). */
bool touches_of_windows_need_fence(void);

/* The same, asked in every call. */
static inline bool touches_are_wanted(void)
{
    return shim.has_windows && touches_of_windows_are_wanted();
}

static inline bool touches_need_fence(void)
{
    return shim.has_windows && touches_of_windows_need_fence();
}

/* A call returns to the program, which tells of what it does from now on until touches_gather; nothing, if it does not. */
void touches_listen(void);

/* Single steps that are allowed until the next call; so many were made. */
uint32_t touches_steps(void);
void touches_spend(uint32_t steps);

/* The memory of windows that can be fenced as it is now, by a number from 0 on; NULL: there is no more. */
struct touched_memory {
    uintptr_t start, end;
};
void touches_find_memory(void);
const struct touched_memory *touches_memory(int n);

/* None of it is: from the current call on nobody looks. */
void touches_leave_out(void);

/* ---- for the fence, in its handlers ---- */

/* Whether these bytes are of a window. */
bool touches_concern(uintptr_t start, uintptr_t end);

/* The program touches memory there, by the instruction at `code`, from these frames, the innermost first. */
enum { TOUCH_FRAMES = 12 };
struct seen_touch {
    uintptr_t start;
    uint64_t bytes; /* 0: as many as the instruction says */
    uint32_t flags; /* TOUCH_STORES, TOUCH_ABOUT */
    const uint8_t *code;
    size_t code_bytes; /* so many can be read */
    const uintptr_t *frame;
    int frames;
};
void touches_note(const struct seen_touch *);

/* From there on it is not looked at any more until the next call. */
void touches_give_up(const uintptr_t *frame, int frames);

/* ---- around calls ---- */

/* One begins: where what was noted lies is told by the windows that there are now. */
void touches_gather(void);

/* A buffer of the current call: loaded from at once, or stored to when the call returns. */
void touches_note_buffer(const void *buf, MPI_Count, const struct type *, bool filled);

/* What a call at `place` was given to fill, and is filled only now. */
void touches_note_filled(uintptr_t start, uintptr_t end, const void *place);

/* It returns. */
void touches_settle_filled(void);

/* Whether something is to be told before the next operation. */
bool touches_are_waiting(void);

/* That, at most TOUCHES_MOST of it, which is forgotten; how many. */
uint32_t touches_take(struct window_touch *);

#endif
