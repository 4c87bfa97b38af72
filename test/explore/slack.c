/*
 * More buffering, more deadlocks ([Vakkalanka 2009], Fig. 1(a)).
 * If rank 0's first send is buffered, its second may take rank
 * 2's wildcard before rank 1's, and rank 2 then waits for another one in vain.  Without
 * buffering rank 1's send is received before rank 0 gets that far: one run.  If just
 * rank 1's send is not buffered, it is stuck as well, for the same reason.
 *
 * explore: -n 3 infinite: runs 2 clean 1 deadlock 1
 * explore: -n 3 zero: runs 1 clean 1
 * explore: -n 3 any: runs 2 clean 1 deadlock 1
 */
#include <mpi.h>

static void send(int to)
{
    int value = 0;
    MPI_Request request;
    MPI_Isend(&value, 1, MPI_INT, to, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void receive(int from)
{
    int value;
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, from, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        send(1);
        send(2);
        break;
    case 1:
        send(2);
        receive(0);
        break;
    case 2:
        receive(MPI_ANY_SOURCE);
        receive(0);
        break;
    }
    MPI_Finalize();
    return 0;
}
