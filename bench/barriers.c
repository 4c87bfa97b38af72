/* Nothing but barriers, as many as the argument says. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int barriers = argc > 1 ? atoi(argv[1]) : 1000;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < barriers; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
