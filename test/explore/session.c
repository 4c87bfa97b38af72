/*
 * Ranks without MPI_Init: two send to rank 0, which receives from any source, in as many sessions, one after the other, as there are arguments.
 *
 * mpi: mpich
 * explore: -n 3 infinite: runs 2 clean 2
 * explore: -n 3 zero: runs 2 clean 2
 * explore: -n 3 any: runs 2 clean 2
 * explore: -n 3 any -- again: runs 4 clean 4
 * merged: -n 3 any -- again: runs 1 clean 1
 */
#include <mpi.h>

static void collect(MPI_Comm comm)
{
    int rank, word;

    MPI_Comm_rank(comm, &rank);
    if (rank == 0)
        for (int i = 0; i < 2; i++)
            MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
    else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, comm);
    word = 0;
}

int main(int argc, char **argv)
{
    (void)argv;
    for (int i = 0; i < argc; i++) {
        MPI_Session session;
        MPI_Group group;
        MPI_Comm comm;

        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
        MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
        MPI_Comm_create_from_group(group, "collect", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
        collect(comm);
        MPI_Comm_free(&comm);
        MPI_Group_free(&group);
        MPI_Session_finalize(&session);
    }
    return 0;
}
