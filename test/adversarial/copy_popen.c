/*
 * A command is started before a receive; what it says is read afterwards, and its end waited for.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

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
        char word[16] = "", other[16] = "";
        FILE *command = popen("echo one; echo two", "r");
        bad |= fscanf(command, "%15s", word) != 1;
        int first = take_one();
        take_one();
        bad |= fscanf(command, "%15s", other) != 1 || strcmp(word, "one") != 0 || strcmp(other, "two") != 0;
        bad |= pclose(command) != 0;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
