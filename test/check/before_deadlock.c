/*
 * What a rank complained of before the run ended in a deadlock; leaks are judged at
 * MPI_Finalize only, and nobody gets there.
 *
 * check: -n 2: portability note TAG
 * check: -n 2: deadlock error RECV
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int v = 0;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Send(&v, 1, MPI_INT, MPI_PROC_NULL, 40000, comm); /* TAG */
    MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE); /* RECV */
    MPI_Finalize();
    return 0;
}
