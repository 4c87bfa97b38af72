/*
 * A rank leaves without MPI_Finalize while another waits for it.
 *
 * run: -n 3
 * compare: none
 * exit: 1
 * expect: rank 2 MPI_Recv at HERE
 * expect: rank 1 "without MPI_Finalize"
 */
#include "check.h"

int main(int argc, char **argv)
{
    int v;

    begin(&argc, &argv);
    if (rank == 1)
        exit(0);
    if (rank == 2)
        MPI_Recv(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    return finish();
}
