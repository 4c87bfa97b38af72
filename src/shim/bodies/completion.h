/*
 * completion -- how requests end: wait and test, one, any, some, all.
 */
#ifndef SHIM_BODIES_COMPLETION_H
#define SHIM_BODIES_COMPLETION_H

#include "shim/request.h"

/* Delivers every completion of an answer to its request. */
void completions_take(const struct answer *);

/* Called when that is done and the answer is not needed any more, so that tourney may be asked something else; or NULL. */
extern void (*completions_were_taken)(void);

/* Waits (OP_WAIT) until these requests of ours are complete. */
void complete_all(struct request *const *, int n);

/* Asks (OP_TEST) whether all of these are complete; they are delivered then. */
bool complete_if_all_are(struct request *const *, int n);

/*
 * For blocking calls: what to post with the operation that this request is, given
 * that it is not complete at once.  OPF_BLOCKING, and tourney waits for it; or
 * nothing, if other threads must not be kept out meanwhile.
 */
uint32_t completion_blocking_flag(struct request *);

/* Waits until it is complete and deletes it; the outcome, through the communicator's error handler. */
int complete_blocking(struct request *, MPI_Status *);

#endif
