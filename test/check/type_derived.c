/*
 * A struct of int and double, received into ints and doubles in another order; the
 * twin's receive has the order of the struct, but another layout in memory, and is longer.
 *
 * check: -n 2: type-mismatch error RECV
 * check: -n 2 -- right: none
 */
#include <mpi.h>

static MPI_Datatype pair(MPI_Datatype first, MPI_Datatype second, MPI_Aint distance)
{
    int lengths[] = {1, 1};
    MPI_Aint places[] = {0, distance};
    MPI_Datatype types[] = {first, second}, pair;

    MPI_Type_create_struct(2, lengths, places, types, &pair);
    MPI_Type_commit(&pair);
    return pair;
}

int main(int argc, char **argv)
{
    int rank;
    char from[100] = "", to[1000] = "";
    MPI_Datatype sent, received;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sent = pair(MPI_INT, MPI_DOUBLE, 8);
    received = argc > 1 ? pair(MPI_INT, MPI_DOUBLE, 24) : pair(MPI_DOUBLE, MPI_INT, 8);
    if (rank == 0)
        MPI_Send(from, 3, sent, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(to, 5, received, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECV */
    MPI_Type_free(&sent);
    MPI_Type_free(&received);
    MPI_Finalize();
    return 0;
}
