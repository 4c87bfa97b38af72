/*
 * Memory that children shall find empty keeps what it holds.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/mman.h>

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
        char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        bad |= madvise(page, 4096, MADV_WIPEONFORK) != 0;
        *page = 42;
        int first = take_one();
        bad |= *page != 42;
        take_one();
        bad |= *page != 42;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
