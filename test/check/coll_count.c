/*
 * Members that do not agree how much there is, in the kinds of collectives.
 *
 * check: -n 3 -- bcast: collective-count error BCAST
 * check: -n 3 -- reduce: collective-count error REDUCE
 * check: -n 3 -- gather: collective-count error GATHER
 * check: -n 3 -- scatter: collective-count error SCATTER
 * check: -n 3 -- allgather: collective-count error ALLGATHER
 * check: -n 3 -- alltoallv: collective-count error ALLTOALLV
 * check: -n 3 -- ibcast: collective-count error IBCAST
 * check: -n 3 -- bcast right: none
 * check: -n 3 -- reduce right: none
 * check: -n 3 -- gather right: none
 * check: -n 3 -- scatter right: none
 * check: -n 3 -- allgather right: none
 * check: -n 3 -- alltoallv right: none
 * check: -n 3 -- ibcast right: none
 */
#include <string.h>
#include <mpi.h>

static int wrong; /* one more, in rank 2, or in rank 0 where it receives */

static void bcast(int *v)
{
    MPI_Bcast(v, 2 + wrong, MPI_INT, 0, MPI_COMM_WORLD); /* BCAST */
}

static void reduce(int *v, int *w)
{
    MPI_Reduce(v, w, 2 + wrong, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* REDUCE */
}

static void gather(int *v, int *w)
{
    MPI_Gather(v, 2 - wrong, MPI_INT, w, 2, MPI_INT, 0, MPI_COMM_WORLD); /* GATHER */
}

static void scatter(int *v, int *w)
{
    MPI_Scatter(v, 2, MPI_INT, w, 2 + wrong, MPI_INT, 0, MPI_COMM_WORLD); /* SCATTER */
}

static void allgather(int *v, int *w)
{
    MPI_Allgather(v, 2, MPI_INT, w, 2 + wrong, MPI_INT, MPI_COMM_WORLD); /* ALLGATHER */
}

static void alltoallv(int *v, int *w)
{
    int sends[] = {1, 2, 3}, displs[] = {0, 4, 8}, takes[3], rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        takes[i] = rank + 1;
    takes[1] += wrong;
    MPI_Alltoallv(v, sends, displs, MPI_INT, w, takes, displs, MPI_INT, MPI_COMM_WORLD); /* ALLTOALLV */
}

static void ibcast(int *v)
{
    MPI_Request request;

    MPI_Ibcast(v, 2 + wrong, MPI_INT, 0, MPI_COMM_WORLD, &request); /* IBCAST */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, v[100] = {0}, w[100];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    wrong = argc == 2 && rank == 2;
    if (strcmp(argv[1], "bcast") == 0)
        bcast(v);
    else if (strcmp(argv[1], "reduce") == 0)
        reduce(v, w);
    else if (strcmp(argv[1], "gather") == 0)
        gather(v, w);
    else if (strcmp(argv[1], "scatter") == 0)
        scatter(v, w);
    else if (strcmp(argv[1], "allgather") == 0)
        allgather(v, w);
    else if (strcmp(argv[1], "alltoallv") == 0)
        alltoallv(v, w);
    else
        ibcast(v);
    MPI_Finalize();
    return 0;
}
