/*
 * System V shared memory that was made and is attached only later: a copy of the process would attach the same memory.
 * It counts the messages of this process.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/shm.h>

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
        int segment = shmget(IPC_PRIVATE, sizeof(int), 0600);
        int first = take_one();
        int *counter = shmat(segment, NULL, 0);
        ++*counter;
        take_one();
        ++*counter;
        bad |= *counter != 2;
        bad |= wrong && first == 2;
        shmdt(counter);
        shmctl(segment, IPC_RMID, NULL);
    }
    MPI_Finalize();
    return bad;
}
