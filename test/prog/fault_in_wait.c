/*
 * A rank that dies while it waits in a call, by a signal from outside: that nobody can move any more is not the matter.
 *
 * run: -n 2
 * compare: none
 * exit: 134
 * expect: rank 0 signal 6
 */
#include "check.h"

#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int value = (int)getpid();
    begin(&argc, &argv);
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        usleep(500 * 1000); /* until it sleeps */
        kill(value, SIGABRT);
        usleep(500 * 1000); /* until it has told */
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
