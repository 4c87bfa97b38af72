/*
 * send_buffer -- the buffers that MPI_Bsend copies messages to: that of the process, and those of communicators and sessions (MPI 4.1).
 *
 * To the program a buffered send is complete at once, and never waits.  The message goes on as a standard send of which the program
 * knows nothing, until MPI_Buffer_detach or MPI_Buffer_flush waits for all of them (M6).  Whether there was room for them together is found out
 * by whoever knows what was received when (check/buffer_room.h).
 */
#ifndef SHIM_BODIES_SEND_BUFFER_H
#define SHIM_BODIES_SEND_BUFFER_H

#include "shim/request.h"

/* An error, raised, if a message of so many bytes can never fit. */
int send_buffer_check(const struct comm *, uint64_t bytes);

/* The number, from 0 on, of the one that messages on this communicator are copied to. */
uint32_t send_buffer_number(const struct comm *);

/* Those of a session, by the key of its handle (core/handle.h); MPI_SUCCESS, or the error, raised.  The session is none any more. */
int send_buffer_attach_session(uint64_t session, void *buffer, MPI_Count size);
int send_buffer_detach_session(uint64_t session, void *buffer, MPI_Count *size);
void send_buffer_flush_session(uint64_t session);
int send_buffer_iflush_session(uint64_t session, MPI_Request *);
void send_buffer_leave_session(uint64_t session);

/* The send that stands for the message of a request, of so many bytes; owned here from now on. */
void send_buffer_keep(struct request *send, const struct request *of, uint64_t bytes);

/* The request is cancelled: its message is withdrawn, if it can be, and the status says which. */
void send_buffer_cancel(struct request *);

/* At MPI_Finalize: one that is not detached. */
void send_buffer_tell_attached(void);

#endif
