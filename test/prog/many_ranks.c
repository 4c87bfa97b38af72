/*
 * Many ranks: a ring, a wildcard from all, a tree of splits, collectives. Too
 * slow under mpiexec on few cores, so the program checks itself.
 *
 * run: -n 64
 * run: -n 7
 * compare: none
 */
#include "check.h"

static void from_all(void)
{
    long sum = 0;

    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        return;
    }
    for (int i = 1; i < size; i++) {
        int value;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += value;
    }
    CHECK(sum == (long)size * (size - 1) / 2);
}

static void halves(void)
{
    MPI_Comm comm, half;
    int n, me, sum;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (n = size, me = rank; n > 1;) {
        MPI_Comm_split(comm, me < n / 2, me, &half);
        MPI_Comm_free(&comm);
        comm = half;
        MPI_Comm_size(comm, &n);
        MPI_Comm_rank(comm, &me);
        MPI_Allreduce(&(int){1}, &sum, 1, MPI_INT, MPI_SUM, comm);
        CHECK(sum == n);
    }
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    int right, left, token = 0, scan, *all;

    begin(&argc, &argv);
    right = (rank + 1) % size, left = (rank + size - 1) % size;
    if (rank > 0)
        MPI_Recv(&token, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    token++;
    MPI_Send(&token, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&token, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(token == size);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    from_all();
    halves();
    MPI_Scan(&rank, &scan, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(scan == rank * (rank + 1) / 2);
    all = malloc(size * sizeof *all);
    MPI_Allgather(&scan, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    CHECK(all[size - 1] == size * (size - 1) / 2);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    CHECK(all[left] == rank * (rank + 1) / 2);
    free(all);
    return finish();
}
