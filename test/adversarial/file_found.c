/*
 * A program that does nothing if its results are there already, made by rank 0, which asks again later.  Rank 0 fails if rank 2 came first, and
 * that is tried from a fresh start, when the results of other runs are there: they are not told of to ranks that go the same way again.
 *
 * check: -n 3 -- stat: exit-code error -
 * runs: -n 3 -- stat: 2, merged 2
 * check: -n 3 -- access: exit-code error -
 * runs: -n 3 -- access: 2, merged 2
 * check: -n 3 -- open: exit-code error -
 * runs: -n 3 -- open: 2, merged 2
 * check: -n 3 -- exclusive: exit-code error -
 * runs: -n 3 -- exclusive: 2, merged 2
 * check: -n 3 -- mkdir: exit-code error -
 * runs: -n 3 -- mkdir: 2, merged 2
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "take_one.h"

static char how, name[4096];

static int is_there(void)
{
    struct stat kind;
    if (how == 'a')
        return access(name, R_OK) == 0;
    if (how != 'o')
        return stat(name, &kind) == 0;
    int fd = open(name, O_RDONLY);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static int make(void)
{
    return how == 'm' ? mkdir(name, 0700) : close(open(name, O_CREAT | O_WRONLY | (how == 'e' ? O_EXCL : 0), 0600));
}

int main(int argc, char **argv)
{
    int rank, first = 0, failed = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    how = argv[1][0];
    snprintf(name, sizeof name, "%s/results", getenv("FOLDER"));
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_there()) {
        MPI_Finalize();
        return 0;
    }
    MPI_Barrier(MPI_COMM_WORLD); /* all have looked */
    if (rank == 0) {
        failed = make() != 0 || !is_there();
        first = take_one();
        take_one();
        failed |= !is_there();
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed ? 2 : first == 2;
}
