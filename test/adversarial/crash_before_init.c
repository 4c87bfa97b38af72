/*
 * A rank that dies before MPI_Init is told with its line, however it dies; one whose child does, or that handles the signal itself, is right.
 *
 * check: -n 2 -- segv: crash error SEGV
 * runs: -n 2 -- segv: 1, merged 1
 * check: -n 2 -- abort: crash error ABORT
 * runs: -n 2 -- abort: 1, merged 1
 * check: -n 2 -- asked: crash error ASKED
 * runs: -n 2 -- asked: 1, merged 1
 * check: -n 2 -- chained: crash error CHAIN
 * runs: -n 2 -- chained: 1, merged 1
 * check: -n 2 -- child: none
 * runs: -n 2 -- child: 1, merged 1
 * check: -n 2 -- handled: none
 * runs: -n 2 -- handled: 1, merged 1
 */
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int *volatile nowhere;
static sigjmp_buf again;
static struct sigaction before;

static void go_on(int sig)
{
    (void)sig;
    siglongjmp(again, 1);
}

/* As libraries do that look at a signal first. */
static void hand_on(int sig, siginfo_t *info, void *context)
{
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(sig, info, context); /* CHAIN */
    else
        signal(sig, SIG_DFL);
}

static int child_dies(void)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        *nowhere = 1;
    return waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "segv";
    int flag;

    if (!strcmp(how, "segv"))
        *nowhere = 1; /* SEGV */
    if (!strcmp(how, "abort"))
        abort(); /* ABORT */
    if (!strcmp(how, "asked")) {
        MPI_Initialized(&flag);
        *nowhere = 1; /* ASKED */
    }
    if (!strcmp(how, "child") && !child_dies())
        return 1;
    if (!strcmp(how, "handled")) {
        signal(SIGSEGV, go_on);
        if (!sigsetjmp(again, 1))
            *nowhere = 1;
    }
    if (!strcmp(how, "chained")) {
        sigaction(SIGSEGV, &(struct sigaction){.sa_sigaction = hand_on, .sa_flags = SA_SIGINFO}, &before);
        *nowhere = 1;
    }
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
