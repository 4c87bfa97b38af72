/*
 * trace -- what a rank did from one answer to the next, instruction by instruction.
 *
 * A stream of words: for each step which instruction it was, and the locations of its memory operands.  Backwards through
 * it goes relevance.h.  Beside it, what changed in memory: words, as they were before and after.
 */
#ifndef FLOW_TRACE_H
#define FLOW_TRACE_H

#include "base/map.h"
#include "base/mem.h"
#include "flow/instruction.h"

/* The first word of a step.  Behind it there is one word for each memory operand. */
enum { STEP_REGION_BEGINS = 1u << 0, STEP_REGION_ENDS = 1u << 1, STEP_NO_MEMORY = 1u << 2 };

/*
 * A system call, in place of an instruction: how many of its arguments count; behind it, as location and length each, what it wrote
 * and what it looked at.
 */
enum { STEP_SYSTEM_CALL = 1u << 3 };

struct changed_word {
    uint64_t at, before, after;
};

struct trace {
    VEC(uint64_t) stream;
    VEC(uint32_t) step;               /* where each step begins in the stream */
    VEC(struct changed_word) changed; /* by address */
    uint64_t general[16];             /* registers in which it fell asleep */
    uint32_t rounding;                /* how numbers are rounded then: mxcsr without exceptions */
    struct map_key layout;            /* of its mappings, at the end */
    bool whole;                       /* false: something was not seen, and `why` says what */
    bool at_exit;                     /* it went out of sight in exit() */
    bool too_long;
    const char *why;
};

void trace_release(struct trace *);

static inline uint64_t step_word(uint32_t instruction, uint32_t flags)
{
    return (uint64_t)flags << 32 | instruction;
}

#endif
