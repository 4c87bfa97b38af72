/*
 * A search that ends when somebody has found the key.  Workers look through a part of the
 * numbers each and tell rank 0; who has found nothing then waits to be told that the search is over.
 *
 * There is a mistake in it, which doc/tutorial.md finds and mends.
 */
#include <mpi.h>
#include <stdio.h>

enum { ANSWER = 1, OVER = 2 };
enum { PART = 50000000, KEY = 42, MOST = 64 };

static unsigned hash(unsigned number)
{
    number = (number ^ number >> 15) * 2246822519u;
    return number ^ number >> 13;
}

/* The number that has the hash of KEY, or -1. */
static int search(int from, int to)
{
    for (int i = from; i < to; i++)
        if (hash((unsigned)i) == hash(KEY))
            return i;
    return -1;
}

static void work(int rank)
{
    int found = search((rank - 1) * PART, rank * PART);
    MPI_Send(&found, 1, MPI_INT, 0, ANSWER, MPI_COMM_WORLD);
    if (found < 0)
        MPI_Recv(NULL, 0, MPI_INT, 0, OVER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Takes the answers of all workers.  When one has the key, the others need not wait any longer. */
static void collect(int ranks)
{
    int answered[MOST] = {0}, told = 0;
    MPI_Request tell[MOST];
    for (int i = 1; i < ranks; i++) {
        int found;
        MPI_Status status;
        MPI_Recv(&found, 1, MPI_INT, MPI_ANY_SOURCE, ANSWER, MPI_COMM_WORLD, &status);
        answered[status.MPI_SOURCE] = 1;
        if (found < 0)
            continue;
        printf("rank %d has found %d\n", status.MPI_SOURCE, found);
        for (int worker = 1; worker < ranks; worker++)
            if (!answered[worker])
                MPI_Isend(NULL, 0, MPI_INT, worker, OVER, MPI_COMM_WORLD, &tell[told++]);
    }
    MPI_Waitall(told, tell, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0)
        collect(ranks);
    else
        work(rank);
    MPI_Finalize();
    return 0;
}
