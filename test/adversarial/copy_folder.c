/*
 * A folder is read step by step, before and after receives: every entry is seen once.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <fcntl.h>
#include <mpi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "take_one.h"

/* Reads on in a folder, so many times a few entries; how many bytes these took. */
static long read_on(int folder, int times)
{
    _Alignas(8) char entries[512];
    long sum = 0, n = 1;
    while (times-- > 0 && n > 0) {
        n = syscall(SYS_getdents64, folder, entries, sizeof entries);
        sum += n;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        int folder = open("/usr/include", O_RDONLY | O_DIRECTORY), other = open("/usr/include", O_RDONLY | O_DIRECTORY);
        long all = read_on(other, 1000000), n = read_on(folder, 2);
        int first = take_one();
        n += read_on(folder, 2);
        take_one();
        n += read_on(folder, 1000000);
        bad |= n != all;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
