/*
 * The process is nicer.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <sys/resource.h>
#include <unistd.h>

#include "kernel_state.h"

static int before;

static void prepare(void)
{
    before = getpriority(PRIO_PROCESS, 0);
}

static void change(void)
{
    if (nice(3) <= before)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static void check(void)
{
    volatile int unchanged = getpriority(PRIO_PROCESS, 0) == before;
    unchanged = 6 / unchanged; /* CRASH */
}
