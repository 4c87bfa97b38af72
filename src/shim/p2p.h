/*
 * p2p -- point-to-point communication: sends, receives, probes.
 */
#ifndef SHIM_P2P_H
#define SHIM_P2P_H

#include "shim/comm.h"

/*
 * Exchanges bytes with one peer on a context of the shim's own, blocking; what
 * comes must fit into `room`.  For making communicators.
 */
void p2p_exchange(struct comm *, context_t, int peer, int tag, const void *out, size_t out_bytes, void *in,
                  size_t room, size_t *in_bytes);

#endif
