/*
 * A process names itself to the kernel by its number, in all calls that take one, before and after a receive.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "take_one.h"

static volatile sig_atomic_t sender;

static void on_signal(int sig, siginfo_t *info, void *context)
{
    (void)sig, (void)context;
    sender = info->si_pid;
}

/* Which of the calls does not know this process; 0: all do. */
static int is_unknown(void)
{
    pid_t own = getpid();
    struct sched_param param;
    struct timespec interval;
    struct rlimit limit;
    int here = 5, there = 0;
    struct iovec from = {&here, sizeof here}, to = {&there, sizeof there};

    sender = 0;
    if (sigqueue(own, SIGRTMIN, (union sigval){0}) != 0 || sender != own)
        return 1;
    if (getpriority(PRIO_PROCESS, own) != getpriority(PRIO_PROCESS, 0) ||
        syscall(SYS_getpriority, PRIO_PROCESS, own) != syscall(SYS_getpriority, PRIO_PROCESS, 0))
        return 2;
    if (sched_getparam(own, &param) != 0 || sched_setparam(own, &param) != 0 || sched_getscheduler(own) < 0)
        return 3;
    if (sched_rr_get_interval(own, &interval) != 0 || prlimit(own, RLIMIT_NOFILE, NULL, &limit) != 0)
        return 4;
    if (process_vm_readv(own, &to, 1, &from, 1, 0) != sizeof here || there != here)
        return 5;
    int fd = (int)syscall(SYS_pidfd_open, own, 0);
    if (fd < 0 || syscall(SYS_pidfd_send_signal, fd, 0, NULL, 0) != 0 || close(fd) != 0)
        return 6;
    return syscall(SYS_getpgid, own) < 0 || syscall(SYS_getsid, own) < 0 ? 7 : 0;
}

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
        sigaction(SIGRTMIN, &action, NULL);
        bad = is_unknown();
        int first = take_one();
        bad += 10 * is_unknown();
        take_one();
        bad += wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
