/*
 * C++ threads are started by the library of the language, for the program.  The place is a line of its headers.
 *
 * check: -n 1: thread-level note -
 * runs: -n 1: 1, merged 1
 * check: -n 1 -- multiple: none
 * runs: -n 1 -- multiple: 1, merged 1
 */
#include <mpi.h>
#include <thread>

static void nothing()
{
}

int main(int argc, char **argv)
{
    int provided;
    if (argc > 1)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    std::thread helper(nothing);
    helper.join();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
