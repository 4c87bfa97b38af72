/*
 * That nobody waits for what is empty does not make different counts right: the root brings a number, and rank 1 takes
 * none, or the other way round.
 *
 * check: -n 2 -- taker: collective-count error CALL
 * runs: -n 2 -- taker: 1, merged 1
 * check: -n 2 -- bringer: collective-count error CALL
 * runs: -n 2 -- bringer: 1, merged 1
 * check: -n 2 -- none: none
 * runs: -n 2 -- none: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 0, who = argv[1][0] == 't' ? 1 : argv[1][0] == 'b' ? 0 : 2;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(&word, who == 2 ? 0 : rank != who, MPI_INT, 0, MPI_COMM_WORLD); /* CALL */
    MPI_Finalize();
    return 0;
}
