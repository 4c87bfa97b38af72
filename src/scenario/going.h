/*
 * going -- a rank of a scenario, or a keeper of its window, on its way, and where its operations go.
 */
#ifndef SCENARIO_GOING_H
#define SCENARIO_GOING_H

#include "scenario/machine.h"
#include "scenario/window_keepers.h"

enum {
    FIRST_CONTEXT = 1000,
    FENCE_CONTEXT = FIRST_CONTEXT + SCENARIO_COMMS,
    PORT_CONTEXT,
    VALUE_BYTES = 4,
};

/* The segment that is being told, and the texts of all messages to keepers. */
struct emission {
    VEC(char) ops; /* owns, as all of these */
    VEC(uint64_t) contents;
    uint32_t count;
    struct window_keepers keepers;
};
void emission_release(struct emission *);

struct going {
    struct emission *out;
    struct ranked r;
};

struct op *emit_op(struct going *, const struct op *, const void *tail, size_t size);

/* A communicator that this rank is in. */
void emit_context(struct going *, context_t, const rank_t *member, size_t members);

/* A value, as the content of a message or a slice: 0 is none. */
void emit_content(struct going *, int32_t value);
static inline int32_t value_of_content(uint64_t content)
{
    return (int32_t)(uint32_t)(content - 1);
}

/* A wait for requests by their numbers. */
void emit_wait_for(struct going *, const struct op *, const uint32_t *numbers, uint32_t n);

#endif
