/*
 * A folder is there that was not.  Copies of a rank share the disk, so it is only looked for where it was made
 * or may be merged.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel_state.h"

static char path[64];

static void prepare(void)
{
    snprintf(path, sizeof path, "/tmp/adversarial.%d", getpid());
}

static void change(void)
{
    mkdir(path, 0700);
}

static void check(void)
{
    volatile int unchanged = !(rmdir(path) == 0);
    unchanged = 6 / unchanged; /* CRASH */
}
