/*
 * A folder is made if rank 2 came first, and looked for in the end.  What comes in between takes long, so that copies of
 * rank 0 run at the same time: none may find what another one has made before its time.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char name[512];
static volatile double heat = 1;

static void compute(void)
{
    for (int i = 0; i < 5000000; i++)
        heat = heat * 1.0000001;
}

static int hear(int source, int tag)
{
    int from;
    MPI_Recv(&from, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return from;
}

int main(int argc, char **argv)
{
    int rank, first;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        snprintf(name, sizeof name, "%s/made", getenv("FOLDER"));
        compute();
        hear(1, 1);
        compute();
        first = hear(MPI_ANY_SOURCE, 0);
        if (first == 2)
            mkdir(name, 0700);
        compute();
        hear(3 - first, 0);
        compute();
        hear(1, 2);
        volatile int absent = access(name, F_OK) != 0;
        rmdir(name);
        if (argc > 1)
            absent = absent == (first == 1);
        absent = 6 / absent; /* CRASH */
    } else {
        if (rank == 1)
            MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
