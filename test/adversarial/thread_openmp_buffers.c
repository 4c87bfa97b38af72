/*
 * OpenMP: the threads of a region receive into a variable that is shared, where each should have its own; or the master fills it,
 * and another one sends it without a barrier between.  Twins: private variables, and a barrier.
 *
 * check: -n 2 -- shared: buffer-race error SHARED
 * runs: -n 2 -- shared: 1, merged 1
 * check: -n 2 -- private: none
 * runs: -n 2 -- private: 1, merged 1
 * check: -n 2 -- hasty: buffer-race error FORWARD
 * runs: -n 2 -- hasty: 2, merged 1
 * check: -n 2 -- barrier: none
 * runs: -n 2 -- barrier: 1, merged 1
 */
#include <mpi.h>
#include <omp.h>
#include <string.h>

static int shared, got;

static void receive_all(int is_shared)
{
#pragma omp parallel num_threads(2)
    {
        int own, *value = is_shared ? &shared : &own;

        MPI_Recv(value, 1, MPI_INT, 1, omp_get_thread_num(), MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* SHARED */
    }
}

static void forward(int waits)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (waits) {
#pragma omp barrier
        }
        if (omp_get_thread_num() == 1)
            MPI_Send(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* FORWARD */
    }
}

int main(int argc, char **argv)
{
    int rank, provided, value = 7;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(argv[1], "shared") == 0 || strcmp(argv[1], "private") == 0) {
        if (rank == 0)
            receive_all(strcmp(argv[1], "shared") == 0);
        for (int i = 0; rank == 1 && i < 2; i++)
            MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    } else if (rank == 0) {
        forward(strcmp(argv[1], "barrier") == 0);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
