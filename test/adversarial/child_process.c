/*
 * There is a child.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel_state.h"

static void prepare(void)
{
}

static void change(void)
{
    if (fork() == 0)
        for (;;)
            pause();
}

static void check(void)
{
    volatile int unchanged = !(waitpid(-1, NULL, WNOHANG) == 0);
    unchanged = 6 / unchanged; /* CRASH */
}
