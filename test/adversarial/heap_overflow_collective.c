/*
 * The root of a gather has made room for one rank only; displacements of a scatter go beyond the block.
 *
 * check: -n 2 -- gather: buffer-overflow error GATHER
 * runs: -n 2 -- gather: 1, merged 1
 * check: -n 2 -- gather right: none
 * runs: -n 2 -- gather right: 1, merged 1
 * check: -n 2 -- scatterv: buffer-overflow error SCATTERV
 * runs: -n 2 -- scatterv: 1, merged 1
 * check: -n 2 -- scatterv right: none
 * runs: -n 2 -- scatterv right: 1, merged 1
 * check: -n 2 -- reduce: buffer-overflow error REDUCE
 * runs: -n 2 -- reduce: 1, merged 1
 * check: -n 2 -- reduce right: none
 * runs: -n 2 -- reduce right: 1, merged 1
 * check: -n 2 -- alltoallw right: none
 * runs: -n 2 -- alltoallw right: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, wrong = argc < 3, mine[8] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *which = argv[1];
    int *room = calloc(wrong ? 7 : 8, sizeof(int)), *other = calloc(4, sizeof(int));

    if (!strcmp(which, "gather"))
        MPI_Gather(mine, 4, MPI_INT, rank == 0 ? room : mine, 4, MPI_INT, 0, MPI_COMM_WORLD); /* GATHER */
    if (!strcmp(which, "scatterv")) {
        int counts[] = {3, 2}, displs[] = {0, 6}, zeros[] = {100, 100};
        int *at = rank == 0 ? displs : zeros;
        MPI_Scatterv(room, counts, at, MPI_INT, mine, rank == 0 ? 3 : 2, MPI_INT, 0, MPI_COMM_WORLD); /* SCATTERV */
    }
    if (!strcmp(which, "reduce"))
        MPI_Allreduce(mine, room, 8, MPI_INT, MPI_MAX, MPI_COMM_WORLD); /* REDUCE */
    if (!strcmp(which, "alltoallw")) {
        int counts[] = {4, 4}, none[] = {0, 16}, apart[] = {0, (int)((char *)other - (char *)room)};
        MPI_Datatype types[] = {MPI_INT, MPI_INT};
        MPI_Alltoallw(mine, counts, none, types, room, counts, apart, types, MPI_COMM_WORLD);
    }
    free(room);
    free(other);
    MPI_Finalize();
    return 0;
}
