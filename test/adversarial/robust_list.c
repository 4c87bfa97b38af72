/*
 * The kernel looks elsewhere for mutexes that the process leaves locked.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel_state.h"

static struct robust_list_head list = {{&list.list}, 0, 0};

static void prepare(void)
{
}

static void change(void)
{
    if (syscall(SYS_set_robust_list, &list, sizeof list) < 0)
        MPI_Abort(MPI_COMM_WORLD, 9);
}

static void check(void)
{
    struct robust_list_head *known;
    size_t size;
    syscall(SYS_get_robust_list, 0, &known, &size);
    volatile int unchanged = known != &list;
    unchanged = 6 / unchanged; /* CRASH */
}
