/*
 * Who has no memory for its halo returns early from the exchange, while its neighbour waits.  The corrected exchange has all of
 * them give up together.  Memory is asked for in many ways, and by functions of the C library; three places are one too many for --fault-places=2.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * check: -n 2 --faults=malloc: deadlock error EXCHANGE
 * runs: -n 2 --faults=malloc: 7, merged 5
 * assumed: -n 2 --faults=malloc: faults: at 6 of 6 places (rank 0: 3, rank 1: 3)
 * check: -n 2 --faults=malloc --fault-places=2: deadlock error EXCHANGE
 * runs: -n 2 --faults=malloc --fault-places=2: 5, merged 3
 * assumed: -n 2 --faults=malloc --fault-places=2: faults: ranks 0 and 1 came to more than 2 places
 * check: -n 2 --faults=malloc -- right: none
 * runs: -n 2 --faults=malloc -- right: 7, merged 2
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_right;

static void exchange(int rank, const int *mine, const char *name)
{
    int *halo = malloc(sizeof *halo), ready = mine && name && halo, all = ready;
    if (is_right)
        MPI_Allreduce(&ready, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (all)
        MPI_Sendrecv(mine, 1, MPI_INT, 1 - rank, 0, halo, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* EXCHANGE */
    free(halo);
}

int main(int argc, char **argv)
{
    int rank;
    is_right = argc > 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *name = strdup("halo");
    int *mine = calloc(1, sizeof *mine);
    for (int i = 0; i < 2; i++)
        exchange(rank, mine, name);
    free(mine);
    free(name);
    MPI_Finalize();
    return 0;
}
