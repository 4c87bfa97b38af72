/*
 * A program that ends in the way that its argument says.
 */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "well";
    int rank, value = 0;
    MPI_Comm copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(how, "deadlock"))
        MPI_Recv(&value, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(how, "leak"))
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (!strcmp(how, "abort") && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 5);
    if (!strcmp(how, "crash") && rank == 1)
        raise(SIGSEGV);
    if (!strcmp(how, "many")) /* more ranks than --max-spawn allows */
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 65, MPI_INFO_NULL, 0, MPI_COMM_SELF, &copy, MPI_ERRCODES_IGNORE);
    for (volatile int forever = !strcmp(how, "loop"); forever;)
        ;
    if (!strcmp(how, "race")) {
        if (rank)
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        int size;
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        for (int i = 1; !rank && i < size; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return !strcmp(how, "code") && rank == 1 ? 7 : 0;
}
