/*
 * After a minute a checkpoint is written, by all ranks together: each looks at its own clock.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * check: -n 2 --clocks=skewed: collective-order error STEP
 * check: -n 2 --clocks=skewed: deadlock error CHECKPOINT
 * runs: -n 2 --clocks=skewed: 14, merged 7
 * check: -n 2 --clocks=skewed -- right: none
 * runs: -n 2 --clocks=skewed -- right: 10, merged 3
 */
#include <mpi.h>
#include <stdbool.h>

enum { STEPS = 2 };

int main(int argc, char **argv)
{
    double value = 1, sum, start;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    start = MPI_Wtime();
    for (int i = 0; i < STEPS; i++) {
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* STEP */
        int late = argc == 1 || rank == 0 ? MPI_Wtime() - start > 60 : 0;
        if (argc > 1)
            MPI_Bcast(&late, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (late) {
            MPI_Barrier(MPI_COMM_WORLD); /* CHECKPOINT */
            start = MPI_Wtime();
        }
    }
    MPI_Finalize();
    return 0;
}
