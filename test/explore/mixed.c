/*
 * A deadlock that needs a send to be buffered and others not to be.  If rank 0's first
 * send is buffered, its second may be what rank 2 takes first.  Then rank 2 sends to
 * rank 3, which waits for rank 1, which sends to rank 2: none of them returns if these
 * sends are not buffered.  Without any buffering rank 2 always hears of rank 1 first,
 * and with all of it nobody waits for a send; both are clean.
 *
 * explore: -n 4 infinite: runs 2 clean 2
 * explore: -n 4 zero: runs 1 clean 1
 * explore: -n 4 any: runs 2 clean 2 cuts 1
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
        send(1);
        send(2);
        break;
    case 1:
        send(2);
        receive(0);
        send(3);
        break;
    case 2:
        receive(MPI_ANY_SOURCE);
        send(3);
        receive(MPI_ANY_SOURCE);
        break;
    case 3:
        receive(1);
        receive(2);
        break;
    }
    MPI_Finalize();
    return 0;
}
