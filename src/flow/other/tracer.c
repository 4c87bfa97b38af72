/*
 * Where instructions are not known nothing is followed: there is no tracer, and so nobody who could ask it for something.
 */
#include "flow/tracer.h"

struct tracer *tracer_new(int ranks, uint64_t most_steps, void *shared)
{
    (void)ranks, (void)most_steps, (void)shared;
    return NULL;
}

void tracer_free(struct tracer *t)
{
    (void)t;
}

const struct instruction *tracer_instruction(const struct tracer *t, uint32_t number)
{
    (void)t, (void)number;
    __builtin_trap();
}

uint64_t tracer_steps(const struct tracer *t)
{
    (void)t;
    __builtin_trap();
}

uint64_t tracer_errno(const struct tracer *t, int rank)
{
    (void)t, (void)rank;
    __builtin_trap();
}

bool tracer_stop(struct tracer *t, int rank, pid_t pid, uint64_t doze)
{
    (void)t, (void)rank, (void)pid, (void)doze;
    __builtin_trap();
}

void tracer_follow(struct tracer *t, struct trace *trace, const struct question_asker *asker, bool *ended, int *status)
{
    (void)t, (void)trace, (void)asker, (void)ended, (void)status;
    __builtin_trap();
}
