/*
 * backward -- from what counts after a trace to what counts before it.
 *
 * A byte counts if what the rank does depends on it: where it goes (flags of branches, targets of jumps), where it looks
 * (addresses), what it asks of the kernel, and what it tells tourney, but for the contents of messages.  An instruction that
 * writes what counts makes count what it reads.
 *
 * The law: two runs from memories that agree in what counts before the trace take the same steps, given the same
 * answers, and end in memories that agree in what counts behind it.
 *
 * Within a function that is known by name (named_calls.h) it does not count where it goes and looks, unless something counts
 * that it has written.
 */
#ifndef FLOW_BACKWARD_H
#define FLOW_BACKWARD_H

#include "flow/byteset.h"
#include "flow/trace.h"
#include "flow/tracer.h"

/* A payload in the shared memory, as it was posted; its bytes in the set of payloads begin at `bytes_at`. */
struct posted_payload {
    uint64_t location, bytes, bytes_at;
};

struct posted_payloads {
    VEC(struct posted_payload) at;
};

/*
 * `set`: what counts behind the trace, and then what counts before it.  `payload`: which bytes of payloads count.  What is
 * written to shared memory otherwise counts always.
 */
void backward(const struct tracer *, int rank, const struct trace *, const struct posted_payloads *,
              struct byteset *payload, struct byteset *set);

#endif
