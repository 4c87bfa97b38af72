/*
 * MPI_Isendrecv and MPI_Isendrecv_replace: the request is complete when both halves are, and not before.  In a ring, whatever
 * is buffered, everybody gets on; so does who waits for another request in the meantime, by MPI_Waitany, MPI_Waitsome or
 * MPI_Test.  If the send is received only after something that comes behind MPI_Wait, it gets on only if the send is buffered.
 *
 * mpi: mpich
 * check: -n 3 -- ring: none
 * runs: -n 3 -- ring: 1, merged 1
 * check: -n 3 -- replace: none
 * runs: -n 3 -- replace: 1, merged 1
 * check: -n 3 --buffering=zero -- ring: none
 * runs: -n 3 --buffering=zero -- ring: 1, merged 1
 * check: -n 3 --buffering=zero -- replace: none
 * runs: -n 3 --buffering=zero -- replace: 1, merged 1
 * check: -n 2 -- late: buffering-deadlock error LATE
 * runs: -n 2 -- late: 1, merged 1
 * check: -n 2 --buffering=zero -- late: deadlock error LATE
 * runs: -n 2 --buffering=zero -- late: 1, merged 1
 * check: -n 2 --buffering=infinite -- late: none
 * runs: -n 2 --buffering=infinite -- late: 1, merged 1
 * check: -n 2 -- free: none
 * runs: -n 2 -- free: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

static int rank, ranks, mine, got;

static void ring(int replace)
{
    MPI_Request request;
    int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;

    if (replace)
        MPI_Isendrecv_replace(&mine, 1, MPI_INT, next, 0, before, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Isendrecv(&mine, 1, MPI_INT, next, 0, &got, 1, MPI_INT, before, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if ((replace ? mine : got) != before)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Rank 1 receives what rank 0 sends behind its wait first. */
static void late(void)
{
    MPI_Request request;

    if (rank == 0) {
        MPI_Isendrecv(&mine, 1, MPI_INT, 1, 0, &got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* LATE */
        MPI_Send(&mine, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(&mine, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* The same, but rank 0 waits later. */
static void free_to_go(void)
{
    MPI_Request request;

    if (rank == 0) {
        MPI_Isendrecv(&mine, 1, MPI_INT, 1, 0, &got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Send(&mine, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&mine, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    mine = rank;
    if (strcmp(argv[1], "late") == 0)
        late();
    else if (strcmp(argv[1], "free") == 0)
        free_to_go();
    else
        ring(strcmp(argv[1], "replace") == 0);
    MPI_Finalize();
    return 0;
}
