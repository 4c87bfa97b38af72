/*
 * The part of the program plugin that uses MPI, loaded when it runs.
 */
#include "check.h"

int plugin_run(int *argc, char ***argv)
{
    int sum, right, left, got;

    begin(argc, argv);
    right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("from the plugin: sum %d, left %d", sum, got);
    CHECK(got == left);
    return finish();
}
