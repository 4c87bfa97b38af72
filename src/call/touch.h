/*
 * touch -- loads and stores of the program itself to the memory of windows, as a rank tells of them.
 *
 * They are no operations: a rank that is looked at once more (wire.h) puts those that it made since its last operation before the
 * next one, as a WIRE_TOUCHES.  One record stands for all that one instruction did at places which follow each other at the same
 * distance.
 */
#ifndef CALL_TOUCH_H
#define CALL_TOUCH_H

#include <stdint.h>

#include "call/op.h"

enum {
    TOUCH_STORES = 1,  /* else it loads */
    TOUCH_ABOUT = 2,   /* by a function of the C library that may load more than it was asked for */
    TOUCH_UNSEEN = 4,  /* not what was done, but that nobody looked from there on until the next operation */
};

enum { TOUCH_CODE = 16 }; /* bytes of an instruction that are told */

struct window_touch {
    uint32_t slot;    /* of the window (window.h) */
    rank_t owner;     /* whose part of it */
    uint64_t at;      /* in bytes, as in struct window_piece: of the first */
    int64_t distance; /* from one to the next */
    uint32_t count;   /* so many */
    uint32_t flags;
    uint64_t bytes;   /* of each; 0: to be read off the instruction */
    uint64_t place;   /* in the program, as if it were behind a call */
    uint8_t code[TOUCH_CODE];
};

enum {
    TOUCHES_MOST = 256, /* of one WIRE_TOUCHES */
    TOUCH_RECORDS = 4,  /* so many of these before one operation: all of them have to fit into the ring */
};

#endif
