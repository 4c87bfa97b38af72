/*
 * tracer -- single-steps a rank, and writes down what it reads and writes (trace.h).
 *
 * The rank sleeps in a call and is about to be answered.  It is stopped, answered, and then goes step by step until it
 * sleeps again, ends, or does something that cannot be followed: an unknown instruction, a thread, a signal, a system call
 * of which it is not known what it writes, too many steps.  Then it goes on by itself and the trace is not whole.
 */
#ifndef FLOW_TRACER_H
#define FLOW_TRACER_H

#include <sys/types.h>

#include "flow/trace.h"

struct tracer;

/* `shared`: the memory that ranks share with tourney, which is borrowed.  NULL: this machine is not known. */
struct tracer *tracer_new(int ranks, uint64_t most_steps, void *shared);
void tracer_free(struct tracer *);

const struct instruction *tracer_instruction(const struct tracer *, uint32_t number);
uint64_t tracer_steps(const struct tracer *);
/* Where a rank has its errno; 0: it has not asked for it, and so does not look at it. */
uint64_t tracer_errno(const struct tracer *, int rank);

/*
 * Stops one that sleeps, or has told that it does and is on its way; `doze`: the word at which it sleeps, by its place in the shared
 * memory.  False: it cannot be had.
 */
bool tracer_stop(struct tracer *, int rank, pid_t, uint64_t doze);

/* What one is about to sleep for that is followed: a call, which ends the trace, or something that is answered on its way. */
enum question { QUESTION_IS_CALL, QUESTION_IS_ANSWERED, QUESTION_IS_OPEN };
struct question_asker {
    enum question (*answer)(void *data); /* QUESTION_IS_ANSWERED: it was given its answer; _OPEN: it will be, out of sight */
    void *data;
};

/*
 * Has it been answered, it goes on, and is let go where it sleeps or leaves.  `ended`: it has, with this status, which
 * nobody else will hear.
 */
void tracer_follow(struct tracer *, struct trace *, const struct question_asker *, bool *ended, int *status);

#endif
