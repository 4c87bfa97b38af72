/*
 * Two parts of a world that meet at a port as if they did not know each other.
 *
 * run: -n 2
 * run: -n 3
 * compare: openmpi
 * timeout: 120
 */
#include "check.h"

int main(int argc, char **argv)
{
    int local, number = 0, remote, flag;
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm part, other, all;
    begin(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &part);
    MPI_Comm_rank(part, &local);
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, part, &other);
    } else {
        if (rank == 1)
            MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Comm_connect(rank == 1 ? port : NULL, MPI_INFO_NULL, 0, part, &other);
    }
    MPI_Comm_test_inter(other, &flag);
    MPI_Comm_remote_size(other, &remote);
    CHECK(flag && remote == (rank == 0 ? size - 1 : 1));
    MPI_Allreduce(&rank, &number, 1, MPI_INT, MPI_SUM, other);
    printf("rank %d: %d\n", rank, number);
    MPI_Intercomm_merge(other, rank != 0, &all);
    MPI_Comm_rank(all, &number);
    CHECK(number == (rank == 0 ? 0 : 1 + local));
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&other);
    if (rank == 0)
        MPI_Close_port(port);
    MPI_Comm_free(&part);
    return finish();
}
