/*
 * A ready send to a receive that is posted at about the same time; the twins know: by a
 * message, by a barrier, by a synchronous send that was received after the posting, even if a
 * matched probe had taken it before.
 *
 * check: -n 2: ready-send error SEND
 * check: -n 2 -- told: none
 * check: -n 2 -- barrier: none
 * check: -n 2 -- synchronous: none
 * check: -n 2 -- taken: none
 */
#include <string.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int rank, value = 0, token = 0;
    MPI_Request request;
    MPI_Message message;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && strcmp(how, "taken") == 0)
        MPI_Mprobe(0, 2, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    if (strcmp(how, "barrier") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && strcmp(how, "told") == 0)
        MPI_Send(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (rank == 0 && strcmp(how, "told") == 0)
        MPI_Recv(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1 && strcmp(how, "synchronous") == 0)
        MPI_Recv(&token, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1 && strcmp(how, "taken") == 0)
        MPI_Mrecv(&token, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    if (rank == 0 && (strcmp(how, "synchronous") == 0 || strcmp(how, "taken") == 0))
        MPI_Ssend(&token, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Rsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* SEND */
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
