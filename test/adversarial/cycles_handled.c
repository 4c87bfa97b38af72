/*
 * A program that reads the processor's counter has SIGSEGV handled by a function of its own, once MPI is up, as PETSc does.  It has no fault, so
 * that function must not be called: what makes the counter virtual is a signal of that kind, too.
 *
 * check: -n 2 -- signal: none
 * runs: -n 2 -- signal: 1, merged 1
 * check: -n 2 -- sigaction: none
 * runs: -n 2 -- sigaction: 1, merged 1
 */
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <x86intrin.h>

static void on_fault(int sig)
{
    MPI_Abort(MPI_COMM_WORLD, sig);
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = on_fault};
    unsigned long long before;
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    before = __rdtsc();
    if (!strcmp(argv[1], "signal"))
        signal(SIGSEGV, on_fault);
    else
        sigaction(SIGSEGV, &action, NULL);
    value = __rdtsc() == before;
    if (rank == 0)
        MPI_Send(&value, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return value == 2;
}
