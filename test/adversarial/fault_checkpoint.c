/*
 * Each rank reads where it was and writes a checkpoint.  Who cannot read the old one begins at the start, and makes one step more than the others;
 * who cannot write the new one does not come to the barrier behind it.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * check: -n 2 --faults=read: collective-order error STEP
 * runs: -n 2 --faults=read: 3, merged 3
 * check: -n 2 --faults=write: deadlock error WRITTEN
 * runs: -n 2 --faults=write: 7, merged 3
 * check: -n 2 --faults=read,write -- right: none
 * runs: -n 2 --faults=read,write -- right: 9, merged 2
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* All of them, or none. */
static bool agreed(bool is_right, bool mine)
{
    int all = mine;
    if (is_right)
        MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    bool is_right = argc > 1;
    char letter, name[4096];
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *old = fopen(argv[0], "r");
    bool was_read = agreed(is_right, fread(&letter, 1, 1, old) == 1);
    fclose(old);
    for (int step = was_read; step < 2; step++)
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* STEP */
    snprintf(name, sizeof name, "%s/checkpoint.%d", getenv("FOLDER"), rank);
    FILE *new = fopen(name, "w");
    bool written = fprintf(new, "%d\n", sum) > 0;
    written = fflush(new) == 0 && written;
    written = fclose(new) == 0 && written;
    if (agreed(is_right, written))
        MPI_Barrier(MPI_COMM_WORLD); /* WRITTEN */
    MPI_Finalize();
    return 0;
}
