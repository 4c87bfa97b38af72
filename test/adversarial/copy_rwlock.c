/*
 * A lock for readers and a writer is written under, held over receives.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <errno.h>
#include <pthread.h>

#include <mpi.h>

#include "take_one.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        pthread_rwlock_wrlock(&lock);
        int first = take_one();
        bad |= pthread_rwlock_wrlock(&lock) != EDEADLK;
        take_one();
        bad |= pthread_rwlock_unlock(&lock) != 0;
        if (wrong && first == 2)
            bad |= pthread_rwlock_trywrlock(&lock) == 0;
    }
    MPI_Finalize();
    return bad;
}
