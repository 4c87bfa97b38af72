/*
 * A file is mapped, first to be read only, and counts the messages of this process.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <mpi.h>

#include "take_one.h"

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        FILE *file = tmpfile();
        bad |= ftruncate(fileno(file), 4096) != 0;
        int *counter = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(file), 0);
        mprotect(counter, 4096, PROT_READ | PROT_WRITE);
        int first = take_one();
        ++*counter;
        take_one();
        ++*counter;
        bad |= *counter != 2;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
