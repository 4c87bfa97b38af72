/*
 * Partitioned communication with MPI_PROC_NULL and of a rank with itself; MPICH 4.0 crashes of both.
 *
 * mpi: mpich
 * run: -n 2
 * compare: none
 */
#include "check.h"

static void with_nobody(void)
{
    int v[2] = {5, 6}, flag = 0;
    MPI_Request request[2];
    MPI_Status status[2];

    MPI_Psend_init(v, 2, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    MPI_Precv_init(v, 2, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
    MPI_Startall(2, request);
    MPI_Pready_range(0, 1, request[0]);
    do
        MPI_Parrived(request[1], 1, &flag);
    while (!flag);
    MPI_Waitall(2, request, status);
    CHECK(v[0] == 5 && v[1] == 6 && status[1].MPI_SOURCE == MPI_PROC_NULL);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

static void with_itself(void)
{
    double out[4] = {1.5, 2.5, 3.5, 4.5}, in[4] = {0};
    MPI_Request request[2];

    MPI_Psend_init(out, 4, 1, MPI_DOUBLE, rank, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    MPI_Precv_init(in, 2, 2, MPI_DOUBLE, rank, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
    MPI_Startall(2, request);
    MPI_Pready_range(0, 3, request[0]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    CHECK(memcmp(out, in, sizeof in) == 0);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    with_nobody();
    with_itself();
    return finish();
}
