#include "shim/gate/early_crash.h"

#include <link.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "shim/gate/gate.h"
#include "shim/process/rank_claim.h"

enum { PATIENCE = 10 }; /* seconds for the shim to be opened, on a machine that is busy with other things */

static volatile sig_atomic_t died_of;

static int is_parallel_mpi(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    return gate_is_mpi(info->dlpi_name);
}

static void die_now(int sig)
{
    (void)sig;
    raise(died_of);
}

/* The signal may have come while somebody has a lock that opening the shim needs; then it dies without a word. */
static void limit_patience(int sig)
{
    died_of = sig;
    signal(SIGALRM, die_now);
    struct itimerval once = {.it_value.tv_sec = PATIENCE};
    syscall(SYS_setitimer, ITIMER_REAL, &once, NULL);
}

__attribute__((visibility("default"))) void tourney_early_crash(int sig, siginfo_t *info, void *context)
{
    (void)info, (void)context;
    for (int i = 0; i < FATAL_SIGNALS; i++)
        signal(fatal_signals[i], SIG_DFL);
    if (rank_was_started_by_tourney()) { /* else it may not be the one that plays the rank (call/rank_claim.h) */
        limit_patience(sig);
        gate_tell_crash(sig);
    }
    raise(sig);
}

__attribute__((constructor)) static void watch_for_early_crashes(void)
{
    if (!rank_was_started_by_tourney() || !dl_iterate_phdr(is_parallel_mpi, NULL))
        return;
    struct sigaction action = {.sa_sigaction = tourney_early_crash, .sa_flags = SA_SIGINFO | SA_NODEFER}, now;
    for (int i = 0; i < FATAL_SIGNALS; i++)
        if (!sigaction(fatal_signals[i], NULL, &now) && now.sa_handler == SIG_DFL)
            sigaction(fatal_signals[i], &action, NULL);
}
