/*
 * A lock on a file belongs to its process: another one sees it after a receive as before.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mpi.h>

#include "take_one.h"

/* Whether a child finds the file locked. */
static int is_locked(int fd)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        struct flock lock = {.l_type = F_WRLCK};
        fcntl(fd, F_GETLK, &lock);
        _exit(lock.l_type != F_UNLCK);
    }
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        int fd = fileno(tmpfile());
        struct flock lock = {.l_type = F_WRLCK};
        bad |= fcntl(fd, F_SETLK, &lock) != 0;
        int first = take_one();
        bad |= !is_locked(fd);
        take_one();
        bad |= !is_locked(fd);
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
