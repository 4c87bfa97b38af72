/*
 * Fewer files may be open.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <sys/resource.h>

#include "kernel_state.h"

static void prepare(void)
{
}

static void change(void)
{
    struct rlimit few;
    getrlimit(RLIMIT_NOFILE, &few);
    few.rlim_cur = 77;
    setrlimit(RLIMIT_NOFILE, &few);
}

static rlim_t limit(void)
{
    struct rlimit now = {0};
    getrlimit(RLIMIT_NOFILE, &now);
    return now.rlim_cur;
}

static void check(void)
{
    volatile int unchanged = !(limit() == 77);
    unchanged = 6 / unchanged; /* CRASH */
}
