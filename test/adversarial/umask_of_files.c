/*
 * New files get other permissions.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <sys/stat.h>

#include "kernel_state.h"

static void prepare(void)
{
}

static void change(void)
{
    umask(0123);
}

static void check(void)
{
    volatile int unchanged = !(umask(0022) == 0123);
    unchanged = 6 / unchanged; /* CRASH */
}
