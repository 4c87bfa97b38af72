/*
 * OpenMP: each thread of a region exchanges with the same one of the other rank, with a tag of its own; then they meet, and each counts in a
 * critical section.  Who comes first into that is open: two orders in each rank.  With `crossed` the threads of one rank use the
 * tags the other way round, after a barrier between two exchanges, and wait for each other for ever.
 *
 * check: -n 2: none
 * runs: -n 2: 16, merged 1
 * check: -n 2 -- crossed: deadlock error EXCHANGE
 * runs: -n 2 -- crossed: 1, merged 1
 */
#include <mpi.h>
#include <omp.h>

static void exchange(int rank, int tag)
{
    int mine = 10 * rank + tag, other;

    MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, tag, &other, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* EXCHANGE */
    if (other != 10 * (1 - rank) + tag)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char **argv)
{
    int rank, provided, value = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();

        if (argc > 1 && rank == 0) {
            exchange(rank, me);
#pragma omp barrier
            exchange(rank, 2 + me);
        } else if (argc > 1) {
            exchange(rank, me == 0 ? 0 : 3);
#pragma omp barrier
            exchange(rank, me == 0 ? 2 : 1);
        } else {
            exchange(rank, me);
#pragma omp barrier
#pragma omp critical
            value++;
        }
    }
    MPI_Finalize();
    return argc == 1 && value != 2;
}
