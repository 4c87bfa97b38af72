#include "shim/bodies/message.h"

#include "shim/core/library_code.h"

/*
 * Of an empty message to itself.  The request of the send lives as long: MPICH would complete it once more after it
 * was freed, and with it whatever has taken its place.
 */
MPI_Message message_back(struct request *r)
{
    MPI_Message message;
    real_must(Isend, NULL, 0, MPI_BYTE, 0, 0, shim.self, &r->sent);
    real_must(Mprobe, 0, 0, shim.self, &message, MPI_STATUS_IGNORE);
    return message;
}

void message_release(struct request *r, MPI_Message *message)
{
    real_must(Mrecv, NULL, 0, MPI_BYTE, message, MPI_STATUS_IGNORE);
    real_must(Wait, &r->sent, MPI_STATUS_IGNORE);
}
