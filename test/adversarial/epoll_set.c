/*
 * A set of descriptors to wait for has one more.
 *
 * check: -n 3: crash error CRASH
 * runs: -n 3: 2, merged 2
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 2, merged 1
 */
#define _GNU_SOURCE
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "kernel_state.h"

static int fd, one;

static void prepare(void)
{
    fd = epoll_create1(0);
    one = eventfd(1, 0);
}

static void change(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(fd, EPOLL_CTL_ADD, one, &event);
}

static struct epoll_event got;

static void check(void)
{
    volatile int unchanged = !(epoll_wait(fd, &got, 1, 0) == 1);
    unchanged = 6 / unchanged; /* CRASH */
}
