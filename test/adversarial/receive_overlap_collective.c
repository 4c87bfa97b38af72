/*
 * Collectives that would write a place twice: displacements that overlap, blocks of MPI_Alltoallw in one another.
 * Their twins interleave, or leave out what is empty.
 *
 * check: -n 2 -- gatherv: receive-overlap error GATHERV
 * runs: -n 2 -- gatherv: 1, merged 1
 * check: -n 2 -- gatherv right: none
 * runs: -n 2 -- gatherv right: 1, merged 1
 * check: -n 2 -- allgatherv: receive-overlap error ALLGATHERV
 * runs: -n 2 -- allgatherv: 1, merged 1
 * check: -n 2 -- allgatherv right: none
 * runs: -n 2 -- allgatherv right: 1, merged 1
 * check: -n 2 -- alltoallw: receive-overlap error ALLTOALLW
 * runs: -n 2 -- alltoallw: 1, merged 1
 * check: -n 2 -- alltoallw right: none
 * runs: -n 2 -- alltoallw right: 1, merged 1
 * check: -n 2 -- bcast: receive-overlap error BCAST
 * runs: -n 2 -- bcast: 1, merged 1
 * check: -n 2 -- bcast right: none
 * runs: -n 2 -- bcast right: 1, merged 1
 * check: -n 2 -- scatterv right: none
 * runs: -n 2 -- scatterv right: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, wrong = argc < 3, out[16] = {0}, in[16];
    int two[] = {2, 2}, one[] = {1, 1}, close[] = {0, 1}, apart[] = {2, 0}, none[] = {0, 0};
    MPI_Datatype comb, types[2], ints[] = {MPI_INT, MPI_INT};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *which = argv[1];
    MPI_Type_vector(4, 1, 2, MPI_INT, &comb);
    MPI_Type_commit(&comb);
    types[0] = types[1] = comb;

    if (!strcmp(which, "gatherv"))
        MPI_Gatherv(out, 2, MPI_INT, in, two, wrong ? close : apart, MPI_INT, 0, MPI_COMM_WORLD); /* GATHERV */
    if (!strcmp(which, "allgatherv") && wrong)
        MPI_Allgatherv(out, 1, comb, in, one, none, comb, MPI_COMM_WORLD); /* ALLGATHERV */
    if (!strcmp(which, "allgatherv") && !wrong)
        MPI_Allgatherv(out, 0, MPI_INT, in, none, none, MPI_INT, MPI_COMM_WORLD);
    if (!strcmp(which, "alltoallw")) {
        int counts[] = {4, 4}, displs[] = {0, wrong ? 8 : 4}, zero[] = {0, 16};
        MPI_Alltoallw(out, counts, zero, ints, in, one, displs, types, MPI_COMM_WORLD); /* ALLTOALLW */
    }
    if (!strcmp(which, "bcast")) {
        MPI_Datatype twice;
        int both[] = {0, wrong && rank == 1 ? 0 : 1};
        MPI_Type_create_indexed_block(2, 1, both, MPI_INT, &twice);
        MPI_Type_commit(&twice);
        MPI_Bcast(in, 1, twice, 0, MPI_COMM_WORLD); /* BCAST */
        MPI_Type_free(&twice);
    }
    if (!strcmp(which, "scatterv")) {
        MPI_Datatype twice;
        int same[] = {0, 0};
        MPI_Type_create_indexed_block(2, 1, same, MPI_INT, &twice);
        MPI_Type_commit(&twice);
        MPI_Scatter(out, 1, twice, in, 2, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(in, 1, twice, 0, MPI_COMM_SELF);
        MPI_Type_free(&twice);
    }
    MPI_Type_free(&comb);
    MPI_Finalize();
    return 0;
}
