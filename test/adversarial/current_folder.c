/*
 * The current folder is another.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <unistd.h>

#include "kernel_state.h"

static void prepare(void)
{
}

static void change(void)
{
    if (chdir("/usr") < 0)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static void check(void)
{
    volatile int unchanged = !(access("lib", F_OK) == 0 && access("share", F_OK) == 0);
    unchanged = 6 / unchanged; /* CRASH */
}
