/*
 * Mutexes that know their owner are held over receives and given back afterwards.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <pthread.h>

#include <mpi.h>

#include "take_one.h"

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t robust;

static void make_robust(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&robust, &kind);
}

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        make_robust();
        pthread_mutex_lock(&recursive);
        pthread_mutex_lock(&checked);
        pthread_mutex_lock(&robust);
        int first = take_one();
        bad |= pthread_mutex_lock(&recursive) != 0 || pthread_mutex_lock(&checked) == 0;
        take_one();
        bad |= pthread_mutex_unlock(&recursive) != 0 || pthread_mutex_unlock(&recursive) != 0;
        bad |= pthread_mutex_unlock(&checked) != 0 || pthread_mutex_unlock(&robust) != 0;
        if (wrong && first == 2)
            bad |= pthread_mutex_unlock(&checked) != 0;
    }
    MPI_Finalize();
    return bad;
}
