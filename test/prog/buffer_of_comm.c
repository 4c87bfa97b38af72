/*
 * Buffers of communicators for buffered sends, and flushing, where the library has it (MPI 4.1).
 *
 * run: -n 2
 * compare: each
 */
#include "check.h"

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
enum { ROOM = 4096 };
static char of_process[ROOM], of_comm[ROOM];

static void send_buffered(MPI_Comm comm)
{
    MPI_Request flush;
    void *start;
    int bytes = -1;

    MPI_Buffer_attach(of_process, ROOM);
    MPI_Comm_attach_buffer(comm, of_comm, ROOM);
    MPI_Bsend(&(int){1}, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Bsend(&(int){2}, 1, MPI_INT, 1, 0, comm);
    MPI_Comm_flush_buffer(comm);
    MPI_Buffer_flush();
    MPI_Bsend(&(int){3}, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Bsend(&(int){4}, 1, MPI_INT, 1, 0, comm);
    MPI_Comm_iflush_buffer(comm, &flush);
    MPI_Wait(&flush, MPI_STATUS_IGNORE);
    MPI_Buffer_iflush(&flush);
    MPI_Comm_detach_buffer(comm, &start, &bytes);
    CHECK(start == of_comm && bytes == ROOM);
    MPI_Buffer_detach(&start, &bytes);
    CHECK(start == of_process && bytes == ROOM);
    MPI_Wait(&flush, MPI_STATUS_IGNORE);

    MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0);
    MPI_Bsend(of_process, ROOM, MPI_CHAR, 1, 1, comm);
    MPI_Comm_detach_buffer(comm, &start, &bytes);
    CHECK(start == MPI_BUFFER_AUTOMATIC);
}

static void receive_buffered(MPI_Comm comm)
{
    int value[4];

    MPI_Recv(&value[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&value[1], 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    MPI_Recv(&value[2], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&value[3], 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    MPI_Recv(of_process, ROOM, MPI_CHAR, 0, 1, comm, MPI_STATUS_IGNORE);
    say_ints("received", value, 4);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;

    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == 0)
        send_buffered(comm);
    else
        receive_buffered(comm);
    MPI_Comm_free(&comm);
    return finish();
}
#else
int main(int argc, char **argv)
{
    begin(&argc, &argv);
    say("MPI %d", MPI_VERSION);
    return finish();
}
#endif
