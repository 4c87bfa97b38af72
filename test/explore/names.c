/*
 * Whether a name is looked up before it is published or after is a choice; who finds none tries again, with "again", or goes without.
 *
 * explore: -n 2 infinite: runs 2 clean 2
 * explore: -n 2 any: runs 2 clean 2
 * merged: -n 2 infinite -- again: runs 1 clean 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, found;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Publish_name("service", MPI_INFO_NULL, port);
    } else {
        do
            found = MPI_Lookup_name("service", MPI_INFO_NULL, port) == MPI_SUCCESS;
        while (!found && argc > 1);
    }
    MPI_Finalize();
    return 0;
}
