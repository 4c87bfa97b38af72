/*
 * p2p -- point-to-point communication: sends, receives, probes.
 */
#ifndef SHIM_BODIES_P2P_H
#define SHIM_BODIES_P2P_H

#include "shim/comm.h"
#include "shim/objects/type.h"
#include "shim/request.h"

/* What the user said in a send, receive or probe. */
struct envelope {
    struct comm *comm;
    int peer, tag;
};

/* Fills in the envelope; errors come back raised. */
int p2p_check_envelope(struct envelope *, MPI_Comm, int peer, int tag, bool sending);

/* Complains, after p2p_check_buffer. */
void p2p_check_memory(int peer, const void *buf, MPI_Count, MPI_Datatype, bool filled);
int p2p_check_buffer(const struct comm *, const void *buf, MPI_Count, MPI_Datatype);

rank_t p2p_world_rank(const struct comm *, int peer); /* RANK_ANY for MPI_ANY_SOURCE */

/* Whether a send needs nothing more once it is posted (M6, M7). */
bool p2p_completes_at_once(uint32_t mode, uint64_t bytes);

/* Posts a send with what is in the buffer, of `op->bytes` bytes. */
void p2p_post_packed(struct op *, const void *buf, MPI_Count, const struct type *);

/* `buffers` of a request that sends or receives a message. */
void p2p_buffers(struct request *, request_buffer *);

/* `finish` of a request that receives a message. */
void p2p_recv_finish(struct request *, const struct completion *);

/*
 * Exchanges bytes with one peer on a context of the shim's own, blocking; what
 * comes must fit into `room`.  For making communicators.
 */
void p2p_exchange(struct comm *, context_t, int peer, int tag, const void *out, size_t out_bytes, void *in,
                  size_t room, size_t *in_bytes);

#endif
