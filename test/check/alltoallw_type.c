/*
 * Each pair of members has types of its own; those of one pair do not agree.
 *
 * check: -n 3 -- wrong: collective-type error HERE
 * check: -n 3 -- neighbour: collective-type error NEIGHBOUR
 * check: -n 3: none
 */
#include <mpi.h>
#include <string.h>

enum { RANKS = 3 };

/* From a to b. */
static MPI_Datatype type_of(int a, int b)
{
    return (a + b) % 2 ? MPI_INT : a ? MPI_FLOAT : MPI_DOUBLE;
}

int main(int argc, char **argv)
{
    int rank, counts[RANKS], displs[RANKS], sides[2] = {1, 1};
    MPI_Aint at[2] = {0, 8};
    _Alignas(8) char out[8 * RANKS] = {0}, in[8 * RANKS];
    MPI_Datatype sent[RANKS], taken[RANKS];
    MPI_Comm circle;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < RANKS; i++) {
        counts[i] = 1;
        displs[i] = 8 * i;
        sent[i] = type_of(rank, i);
        taken[i] = type_of(i, rank);
    }
    if (argc > 1 && strcmp(argv[1], "wrong") == 0 && rank == 2)
        taken[1] = MPI_FLOAT; /* 1 sends MPI_INT */
    MPI_Alltoallw(out, counts, displs, sent, in, counts, displs, taken, MPI_COMM_WORLD); /* HERE */

    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){RANKS}, (int[]){1}, 0, &circle);
    sent[0] = taken[1] = MPI_INT; /* to the left, from the right */
    sent[1] = taken[0] = MPI_DOUBLE;
    if (argc > 1 && strcmp(argv[1], "neighbour") == 0 && rank == 1)
        taken[1] = MPI_FLOAT;
    MPI_Neighbor_alltoallw(out, sides, at, sent, in, sides, at, taken, circle); /* NEIGHBOUR */
    MPI_Comm_free(&circle);
    MPI_Finalize();
    return 0;
}
