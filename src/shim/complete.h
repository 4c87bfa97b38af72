/*
 * complete -- how requests end: wait and test, one, any, some, all.
 */
#ifndef SHIM_COMPLETE_H
#define SHIM_COMPLETE_H

#include "shim/request.h"

/* Delivers every completion of an answer to its request. */
void completions_take(const struct answer *);

/* Waits (OP_WAIT) until these requests of ours are complete. */
void complete_all(struct request *const *, int n);

#endif
