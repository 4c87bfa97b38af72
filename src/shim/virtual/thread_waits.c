#include "shim/virtual/thread_waits.h"

#include <string.h>

#include "shim/channel.h"

void thread_waits_post(struct op *op, const uint32_t *number, const struct op_thread *told, uint32_t threads)
{
    size_t numbers = op_round(op->items * sizeof *number);
    op->type = threads;
    char *tail = channel_begin(op, numbers + threads * sizeof *told);
    memset(tail, 0, numbers);
    memcpy(tail, number, op->items * sizeof *number);
    memcpy(tail + numbers, told, threads * sizeof *told);
    channel_commit();
}
