/*
 * A process looks itself up in /proc by its number.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <mpi.h>

#include "take_one.h"

static int cannot_look(void)
{
    char path[64], text[64];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)getpid());
    FILE *file = fopen(path, "r");
    int bad = !file || !fgets(text, sizeof text, file) || atoi(text) <= 0 || access(path, R_OK) != 0;
    if (file)
        fclose(file);
    return bad;
}

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        bad |= cannot_look();
        int first = take_one();
        bad |= cannot_look();
        take_one();
        bad |= cannot_look();
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
