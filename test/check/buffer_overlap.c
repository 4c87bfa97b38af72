/*
 * Two operations on the same memory, and those that may be: what is sent may be sent again.
 *
 * check: -n 2 -- receives: buffer-race error RECEIVES
 * check: -n 2 -- send: buffer-race error SEND
 * check: -n 2 -- blocking: buffer-race error BLOCKING
 * check: -n 2 -- collective: buffer-race error COLLECTIVE
 * check: -n 2: none
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, v[40] = {0}, w[8] = {0};
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Request r[7];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int other = 1 - rank;
    MPI_Irecv(v, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(strcmp(what, "receives") ? v + 4 : v + 3, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &r[1]); /* RECEIVES */
    MPI_Irecv(v + 30, 4, MPI_INT, other, 1, MPI_COMM_WORLD, &r[2]);
    MPI_Irecv(v, 0, MPI_INT, other, 2, MPI_COMM_WORLD, &r[3]);
    MPI_Isend(strcmp(what, "send") ? v + 10 : v + 7, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &r[4]); /* SEND */
    MPI_Isend(v + 10, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &r[5]);
    MPI_Irecv(v, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[6]);
    MPI_Send(strcmp(what, "blocking") ? v + 10 : v, 4, MPI_INT, other, 1, MPI_COMM_WORLD); /* BLOCKING */
    MPI_Send(v, 0, MPI_INT, other, 2, MPI_COMM_WORLD);
    MPI_Allreduce(v + 12, strcmp(what, "collective") ? w : v + 1, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* COLLECTIVE */
    MPI_Waitall(7, r, MPI_STATUSES_IGNORE);
    MPI_Irecv(v, 4, MPI_INT, other, 3, MPI_COMM_WORLD, &r[0]);
    MPI_Send(v + 4, 4, MPI_INT, other, 3, MPI_COMM_WORLD);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
