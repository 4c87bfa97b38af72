/*
 * Buffers of sessions for buffered sends, and flushing, where the library has it (MPI 4.1): a communicator uses its own, else that of the session
 * it comes from, else that of the process.
 *
 * run: -n 2
 * compare: each
 */
#include "check.h"

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
enum { ROOM = 4096 };
static char of_process[ROOM], of_session[ROOM], of_comm[ROOM];

static MPI_Comm comm_of_session(MPI_Session session)
{
    MPI_Group all, both;
    MPI_Comm comm, copy;

    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Group_incl(all, 2, (int[]){0, 1}, &both);
    MPI_Comm_create_from_group(both, "buffers", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_dup(comm, &copy);
    MPI_Comm_free(&comm);
    MPI_Group_free(&both);
    MPI_Group_free(&all);
    return copy;
}

static void send_buffered(MPI_Session session, MPI_Comm comm)
{
    MPI_Request flush;
    void *start;
    int bytes = -1;

    MPI_Session_attach_buffer(session, of_session, ROOM);
    MPI_Bsend(&(int){1}, 1, MPI_INT, 1, 0, comm); /* no other buffer is attached */
    MPI_Session_flush_buffer(session);
    MPI_Bsend(&(int){2}, 1, MPI_INT, 1, 0, comm);
    MPI_Session_iflush_buffer(session, &flush);
    MPI_Wait(&flush, MPI_STATUS_IGNORE);
    MPI_Comm_attach_buffer(comm, of_comm, ROOM);
    MPI_Bsend(&(int){3}, 1, MPI_INT, 1, 0, comm);
    MPI_Comm_detach_buffer(comm, &start, &bytes);
    CHECK(start == of_comm && bytes == ROOM);
    MPI_Session_detach_buffer(session, &start, &bytes);
    CHECK(start == of_session && bytes == ROOM);
    MPI_Buffer_attach(of_process, ROOM);
    MPI_Bsend(&(int){4}, 1, MPI_INT, 1, 0, comm);
    MPI_Buffer_detach(&start, &bytes);
    CHECK(start == of_process && bytes == ROOM);
}

static void receive_buffered(MPI_Comm comm)
{
    int value[4];

    for (int i = 0; i < 4; i++)
        MPI_Recv(&value[i], 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    say_ints("received", value, 4);
}

int main(int argc, char **argv)
{
    MPI_Session session;
    MPI_Comm comm;

    begin(&argc, &argv);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    comm = comm_of_session(session);
    if (rank == 0)
        send_buffered(session, comm);
    else
        receive_buffered(comm);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
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
