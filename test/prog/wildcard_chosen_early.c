/*
 * While rank 0 waits in another call, all rest, and its receive from any source gets the only message that is there, from rank 3.  When it
 * waits for that receive, one from rank 1 is there as well, whose turn would come first: it is not taken in place of the other.
 *
 * run: -n 5
 * compare: none
 */
#include <mpi.h>
#include <stdio.h>

enum { WORK = 1, NAMED, ASK, ON, END };

static int value;

static void send_to(int rank, int tag)
{
    MPI_Send(&value, 1, MPI_INT, rank, tag, MPI_COMM_WORLD);
}

static int receive_from(int rank, int tag)
{
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, rank, tag, MPI_COMM_WORLD, &status);
    return status.MPI_SOURCE;
}

static int collect(void)
{
    MPI_Status status;
    MPI_Request request;
    int first;
    MPI_Irecv(&first, 1, MPI_INT, MPI_ANY_SOURCE, WORK, MPI_COMM_WORLD, &request);
    receive_from(1, NAMED);
    MPI_Wait(&request, &status);
    int second = receive_from(MPI_ANY_SOURCE, WORK);
    for (int r = 1; r < 5; r++)
        send_to(r, END);
    printf("%d %d\n", status.MPI_SOURCE, second);
    return status.MPI_SOURCE != 3 || second != 1;
}

int main(int argc, char **argv)
{
    int rank, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        wrong = collect();
    if (rank == 1) {
        receive_from(2, ON);
        send_to(0, WORK);
        send_to(0, NAMED);
    }
    if (rank == 2) {
        receive_from(MPI_ANY_SOURCE, ASK);
        send_to(1, ON);
    }
    if (rank == 3)
        send_to(0, WORK);
    if (rank == 4)
        send_to(2, ASK);
    if (rank > 0)
        receive_from(0, END);
    MPI_Finalize();
    return wrong;
}
