/*
 * Monte Carlo: a server gives numbers to whoever asks, until told to stop by worker 1;
 * the workers agree after each round, whether it was enough, by a reduction.  What the
 * server does depends on what it hears, which tools that know one path only take for a
 * deadlock.  In each round it hears of w workers in any order: w! to the power of rounds.
 *
 * explore: -n 3 infinite -- 1: runs 2 clean 2
 * explore: -n 3 zero -- 2: runs 4 clean 4
 * explore: -n 3 infinite -- 3: runs 8 clean 8
 * explore: -n 4 infinite -- 2: runs 36 clean 36
 * explore: -n 3 any -- 2: runs 4 clean 4
 */
#include <mpi.h>
#include <stdlib.h>

enum { MORE, STOP };

static void serve(void)
{
    int number = 0;
    MPI_Status status;
    while (1) {
        MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP)
            return;
        number++;
        MPI_Send(&number, 1, MPI_INT, status.MPI_SOURCE, MORE, MPI_COMM_WORLD);
    }
}

static void work(MPI_Comm workers, int enough)
{
    int number, sum = 0, rank;
    MPI_Comm_rank(workers, &rank);
    while (sum < enough) {
        int one = 1, round;
        MPI_Send(NULL, 0, MPI_INT, 0, MORE, MPI_COMM_WORLD);
        MPI_Recv(&number, 1, MPI_INT, 0, MORE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&one, &round, 1, MPI_INT, MPI_SUM, workers);
        sum += round;
    }
    if (rank == 0)
        MPI_Send(NULL, 0, MPI_INT, 0, STOP, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size, rounds = atoi(argv[1]);
    MPI_Comm part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &part);
    if (rank == 0)
        serve();
    else
        work(part, rounds * (size - 1));
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
