/*
 * thread_waits -- a wait of several threads of a rank, told to tourney as one: for which requests, and what each thread waits for.
 */
#ifndef SHIM_VIRTUAL_THREAD_WAITS_H
#define SHIM_VIRTUAL_THREAD_WAITS_H

#include "call/op.h"

enum {
    MOST_ASKED = 1024, /* requests */
    MOST_TOLD = 16,    /* threads, in a deadlock */
};

/* Posts it; the operation says how many requests it is about. */
void thread_waits_post(struct op *, const uint32_t *number, const struct op_thread *told, uint32_t threads);

#endif
