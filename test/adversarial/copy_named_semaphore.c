/*
 * A semaphore with a name counts what this process has put in.  Its name is made from the search's own folder:
 * process numbers and the time are the same ones in each search, and several run at once.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

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
        char name[64];
        struct stat folder;
        stat(getenv("FOLDER"), &folder);
        snprintf(name, sizeof name, "/tourney-test-%lu", (unsigned long)folder.st_ino);
        sem_t *count = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
        sem_unlink(name);
        int value = 0;
        int first = take_one();
        sem_post(count);
        take_one();
        sem_post(count);
        sem_getvalue(count, &value);
        bad |= value != 2;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
