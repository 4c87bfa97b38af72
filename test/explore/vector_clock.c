/*
 * Two sources of choice that hear of each other ([Vo 2011], Fig. 5.3).  Rank
 * 2's wildcard may take the message of rank 0 instead of rank 1's, and then waits
 * for rank 0 in vain.  Lamport clocks cannot tell that it may, vector clocks can:
 * rank 0's own wildcard has made its clock as high as that of the receive which took
 * its message.  That wildcard has one choice; so two runs.  (Without buffering rank 1
 * is stuck, too.)
 *
 * explore: -n 3 infinite: runs 2 clean 1 deadlock 1
 * explore: -n 3 zero: runs 2 clean 1 deadlock 1
 * explore: -n 3 any: runs 2 clean 1 deadlock 1
 */
#include <mpi.h>

static void send(int to)
{
    int value = 0;
    MPI_Send(&value, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
}

static void receive(int from)
{
    int value;
    MPI_Recv(&value, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        receive(MPI_ANY_SOURCE);
        send(2);
        break;
    case 1:
        send(0);
        send(2);
        break;
    case 2:
        receive(MPI_ANY_SOURCE);
        receive(0);
        break;
    }
    MPI_Finalize();
    return 0;
}
