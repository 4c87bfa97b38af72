/*
 * The process wants a signal when its parent ends.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/prctl.h>

#include "kernel_state.h"

static void prepare(void)
{
}

static void change(void)
{
    if (prctl(PR_SET_PDEATHSIG, SIGUSR1) < 0)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static void check(void)
{
    int signal = 0;
    prctl(PR_GET_PDEATHSIG, &signal);
    volatile int unchanged = !signal;
    unchanged = 6 / unchanged; /* CRASH */
}
