/*
 * What a program does before MPI_Init is its own, and nobody hears of it.  Processes that come up before they are asked for must not
 * make a difference there: "found" looks for a file that rank 0 makes right behind MPI_Init, and whoever is started later finds it, again and again;
 * "alone" holds a lock up to MPI_Init, which another one that is there at the same time would not get.
 *
 * check: -n 3 -- found: none
 * runs: -n 3 -- found: 2, merged 1
 * check: -n 3 -- alone: none
 * runs: -n 3 -- alone: 2, merged 1
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "take_one.h"

int main(int argc, char **argv)
{
    char name[4096];
    int rank, found = 0, fd = -1;

    snprintf(name, sizeof name, "%s/before", getenv("FOLDER"));
    if (argv[1][0] == 'f') {
        found = access(name, F_OK) == 0;
    } else {
        if ((fd = open(name, O_CREAT | O_EXCL, 0600)) < 0)
            return 3;
        usleep(2000);
        unlink(name);
        close(fd);
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        if (argv[1][0] == 'f')
            close(open(name, O_CREAT | O_WRONLY, 0600));
        take_one();
        take_one();
    } else {
        MPI_Send(&found, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return rank && !found && argv[1][0] == 'f';
}
