/*
 * touches -- what ranks told of their loads and stores in windows (call/touch.h), as bytes.
 *
 * A rank tells where an instruction loaded or stored, and the instruction; how many bytes that were is read off it here.
 */
#ifndef DRIVE_TOUCHES_H
#define DRIVE_TOUCHES_H

#include "base/mem.h"
#include "call/touch.h"
#include "flow/instruction.h"
#include "outcome/local_touch.h"

/* Where a rank was not looked at any more. */
struct unseen_touch {
    rank_t rank;
    uint32_t slot;
    uint64_t place;
};
typedef VEC(struct unseen_touch) unseen_touches_t;

struct touches {
    struct disassembler *disassembler; /* owns; NULL: none was needed yet */
    unseen_touches_t unseen;           /* each once */
};
void touches_release(struct touches *);

/*
 * Appends what a rank told before the operation with this index in its segment.  False: there is more that it has not seen
 * itself.
 */
bool touches_read(struct touches *, rank_t, uint32_t before, const struct window_touch *, uint32_t n, local_touches_t *);

#endif
