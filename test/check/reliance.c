/*
 * What works only as long as MPI does more than it must: a broadcast that waits for all, polls
 * that say yes as soon as they can.  The deadlock itself is an error; that it takes
 * just this is a note.
 *
 * check: -n 3 --buffering=infinite -- bcast: deadlock error STUCK
 * check: -n 3 --buffering=infinite -- bcast: portability note BCAST
 * check: -n 3 -- test: deadlock error NEVER
 * check: -n 3 -- test: portability note TEST
 * check: -n 3 -- anyway: deadlock error ANYWAY
 * check: -n 3 --buffering=infinite -- both: deadlock error STUCK
 * check: -n 3 --buffering=infinite -- both: deadlock error ANYWAY
 * check: -n 3: none
 */
#include <mpi.h>
#include <string.h>

static const char *what;
static int rank, v;

static int is(const char *name)
{
    return strcmp(what, name) == 0;
}

/* If rank 0 can leave before rank 2 has come, its message may be the first. */
static void broadcast(void)
{
    if (rank == 1)
        MPI_Send(&v, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (is("bcast") || is("both"))
        MPI_Bcast(&v, 1, MPI_INT, 0, MPI_COMM_WORLD); /* BCAST */
    else
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(&v, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* STUCK */
}

/* Rank 1 has certainly sent before; but that is not to say that it shows. */
static void poll(void)
{
    int flag = 0, token = 0;
    MPI_Request request;
    if (rank == 1) {
        MPI_Ssend(&v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&v, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* NEVER */
    }
    if (rank == 0) {
        MPI_Irecv(&v, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE); /* TEST */
        if (!flag)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (flag || !is("test"))
            MPI_Send(&token, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    }
}

/* The broadcast has nothing to do with it. */
static void wait_for_nobody(void)
{
    MPI_Bcast(&v, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* ANYWAY */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    what = argc > 1 ? argv[1] : "";
    broadcast();
    poll();
    if (is("anyway") || is("both"))
        wait_for_nobody();
    MPI_Finalize();
    return 0;
}
