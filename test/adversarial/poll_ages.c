/*
 * A rank polls many times in vain and reads a clock each time, which leaps while polls say no.  It must not leap beyond what 63 bits of
 * nanoseconds hold: time.sleep of Python fails there, so that mpi4py's executors went wrong.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <mpi.h>
#include <stdint.h>
#include <time.h>

enum { POLLS = 400 };

static void wait_for_ages(void)
{
    struct timespec last = {0}, now;
    int done = 0, value;
    MPI_Request request;

    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < POLLS; i++) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        clock_gettime(CLOCK_REALTIME, &now);
        if (done || now.tv_sec >= INT64_MAX / 1000000000 || (now.tv_sec == last.tv_sec && now.tv_nsec <= last.tv_nsec))
            MPI_Abort(MPI_COMM_WORLD, 1);
        last = now;
    }
    MPI_Send(&done, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, value;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        wait_for_ages();
    else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
