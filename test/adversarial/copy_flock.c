/*
 * A lock that goes with an open file is still this process's after a receive, and nobody else's.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "take_one.h"

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;
    char path[4096];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        snprintf(path, sizeof path, "%s/locked", getenv("FOLDER"));
        int own = open(path, O_RDWR | O_CREAT, 0600), other = open(path, O_RDWR);
        bad = flock(own, LOCK_EX | LOCK_NB) != 0;
        int first = take_one();
        bad |= flock(own, LOCK_EX | LOCK_NB) != 0 || flock(other, LOCK_EX | LOCK_NB) == 0;
        take_one();
        bad |= flock(own, LOCK_UN) != 0 || flock(other, LOCK_EX | LOCK_NB) != 0;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
