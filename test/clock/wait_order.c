/*
 * [Vo 2011], Figs. 2.14 and 2.15: two receives from anybody take two messages of one rank, and are
 * waited for in the order of the first argument.  Between the messages the sender's clock ticks.
 */
#include "figure.h"

int main(int argc, char **argv)
{
    int first = argc > 1 ? atoi(argv[1]) : 0, value[2];
    MPI_Request request[2];
    begin();
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&value[i], 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request[i]);
        MPI_Wait(&request[first], MPI_STATUS_IGNORE);
        MPI_Wait(&request[1 - first], MPI_STATUS_IGNORE);
        printf("%d %d\n", value[0], value[1]);
    } else if (rank == 1) {
        for (int i = 0; i < 2; i++) {
            value[i] = 10 + i;
            MPI_Isend(&value[i], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request[i]);
            if (i == 0)
                recv_from(MPI_ANY_SOURCE);
        }
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    } else {
        send_to(1);
    }
    MPI_Finalize();
    return 0;
}
