/*
 * Extensions for ranks that fail, of which tourney knows none: each is refused by its name.  Open MPI has them from 5.0 on, in a header of its own.
 *
 * mpi: mpich
 * check: -n 2 -- revoke: unsupported-call warning REVOKE
 * check: -n 2 -- shrink: unsupported-call warning SHRINK
 * check: -n 2 -- agree: unsupported-call warning AGREE
 * check: -n 2 -- ack: unsupported-call warning ACK
 * check: -n 2 -- acked: unsupported-call warning ACKED
 * check: -n 2 -- none: none
 */
#include <mpi.h>
#include <string.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "none";
    MPI_Group failed;
    MPI_Comm others;
    int flag = 1;

    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(what, "revoke") == 0)
        MPIX_Comm_revoke(MPI_COMM_WORLD); /* REVOKE */
    if (strcmp(what, "shrink") == 0)
        MPIX_Comm_shrink(MPI_COMM_WORLD, &others); /* SHRINK */
    if (strcmp(what, "agree") == 0)
        MPIX_Comm_agree(MPI_COMM_WORLD, &flag); /* AGREE */
    if (strcmp(what, "ack") == 0)
        MPIX_Comm_failure_ack(MPI_COMM_WORLD); /* ACK */
    if (strcmp(what, "acked") == 0)
        MPIX_Comm_failure_get_acked(MPI_COMM_WORLD, &failed); /* ACKED */
    MPI_Finalize();
    return 0;
}
