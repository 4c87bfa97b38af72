/*
 * The process has another name.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/prctl.h>

#include "kernel_state.h"

static void prepare(void)
{
}

static void change(void)
{
    prctl(PR_SET_NAME, "changed");
}

static int has_name(void)
{
    char name[17] = "";
    prctl(PR_GET_NAME, name);
    return strcmp(name, "changed") == 0;
}

static void check(void)
{
    volatile int unchanged = !(has_name());
    unchanged = 6 / unchanged; /* CRASH */
}
