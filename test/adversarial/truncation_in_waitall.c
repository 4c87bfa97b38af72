/*
 * A message that is too long, completed with others: the fatal error is that of the message, not that of MPI_Waitall,
 * which only says that a status has one.
 *
 * check: -n 2: truncation error HERE
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- waitsome: truncation error THERE
 * runs: -n 2 -- waitsome: 3, merged 3
 * check: -n 2 -- fits: none
 * runs: -n 2 -- fits: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, v[4] = {0}, n = 0, done = 0, index[2], room = 1;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && !strcmp(argv[1], "fits"))
        room = 2;
    if (rank == 0) {
        MPI_Send(v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(v, 2, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(v, room, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(v + 2, room, MPI_INT, 0, 1, MPI_COMM_WORLD, &request[1]);
        if (argc > 1 && room == 1)
            while (done < 2) {
                MPI_Waitsome(2, request, &n, index, MPI_STATUSES_IGNORE); /* THERE */
                done += n;
            }
        else
            MPI_Waitall(2, request, MPI_STATUSES_IGNORE); /* HERE */
    }
    MPI_Finalize();
    return 0;
}
