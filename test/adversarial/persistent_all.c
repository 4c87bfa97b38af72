/*
 * Two persistent collectives started together, in lists of different orders, on a communicator that is freed before:
 * they go on, and each meets its own.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- half: collective-missing error START
 * check: -n 2 -- half: request-state warning WAIT
 * runs: -n 2 -- half: 1, merged 1
 */
#include <mpi.h>
#if MPI_VERSION < 4
#include <mpi-ext.h>
#define MPI_Bcast_init MPIX_Bcast_init
#endif

int main(int argc, char **argv)
{
    int rank, value[2];
    MPI_Comm copy;
    MPI_Request request[2], list[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (int i = 0; i < 2; i++) {
        value[i] = rank == 0 ? 7 + i : 0;
        MPI_Bcast_init(&value[i], 1, MPI_INT, 0, copy, MPI_INFO_NULL, &request[i]);
    }
    MPI_Comm_free(&copy);
    list[rank] = request[0];
    list[!rank] = request[1];
    if (argc == 1)
        MPI_Startall(2, list);
    else
        MPI_Startall(rank == 0 ? 2 : 1, rank == 0 ? list : &list[1]); /* START */
    MPI_Waitall(2, list, MPI_STATUSES_IGNORE); /* WAIT */
    if (value[0] != 7 || (argc == 1 && value[1] != 8))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Request_free(&list[0]);
    MPI_Request_free(&list[1]);
    MPI_Finalize();
    return 0;
}
