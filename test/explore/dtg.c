/*
 * Five ranks, standard sends, one tag.  With sends that wait for their receive it
 * deadlocks when rank 0's first receive takes rank 2; with buffering it does not.
 *
 * explore: -n 5 infinite: runs 2 clean 2 deadlock 0
 * explore: -n 5 zero: runs 2 clean 1 deadlock 1
 * explore: -n 5 any: runs 2 clean 2 cuts 1
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
        send(3);
        receive(MPI_ANY_SOURCE);
        break;
    case 1:
        send(0);
        send(3);
        break;
    case 2:
        receive(MPI_ANY_SOURCE);
        send(0);
        break;
    case 3:
        receive(1);
        receive(0);
        break;
    case 4:
        send(2);
        break;
    }
    MPI_Finalize();
    return 0;
}
