/*
 * A message of 200 MB, there and half of it back, with a checksum.
 *
 * run: -n 2
 */
#include "check.h"

enum { N = 25 * 1000 * 1000 };

static unsigned long checksum(const unsigned long *v, int n)
{
    unsigned long sum = 0;

    for (int i = 0; i < n; i++)
        sum = (sum << 1 | sum >> 63) ^ v[i];
    return sum;
}

int main(int argc, char **argv)
{
    unsigned long *v;
    MPI_Status status;
    int count;

    begin(&argc, &argv);
    v = malloc(N * sizeof *v);
    if (rank == 0) {
        for (int i = 0; i < N; i++)
            v[i] = i * 0x9e3779b97f4a7c15ul;
        say("sent %lx", checksum(v, N));
        MPI_Send(v, N, MPI_UNSIGNED_LONG, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(v, N, MPI_UNSIGNED_LONG, 1, 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_UNSIGNED_LONG, &count);
        say("back %d %lx", count, checksum(v, count));
    } else {
        MPI_Request request;
        MPI_Irecv(v, N, MPI_UNSIGNED_LONG, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, &status);
        MPI_Get_count(&status, MPI_UNSIGNED_LONG, &count);
        say("received %d %lx", count, checksum(v, count));
        MPI_Send(v + N / 2, N / 2, MPI_UNSIGNED_LONG, 0, 1, MPI_COMM_WORLD);
    }
    free(v);
    return finish();
}
