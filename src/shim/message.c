#include "shim/message.h"

/* Of an empty message to itself. */
MPI_Message message_back(const struct request *r)
{
    (void)r;
    MPI_Request sent;
    MPI_Message message;
    real.Isend(NULL, 0, MPI_BYTE, 0, 0, shim.self, &sent);
    real.Mprobe(0, 0, shim.self, &message, MPI_STATUS_IGNORE);
    real.Request_free(&sent);
    return message;
}

void message_release(MPI_Message *message)
{
    real.Mrecv(NULL, 0, MPI_BYTE, message, MPI_STATUS_IGNORE);
}
