/*
 * An alarm is set, for much later.
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
    alarm(10000);
}

static void check(void)
{
    volatile int unchanged = !(alarm(0) > 0);
    unchanged = 6 / unchanged; /* CRASH */
}
