/*
 * A first session after MPI_Finalize, which MPI-4.0, 11.3 allows: the ranks have been through MPI_Init and MPI_Finalize, and meet again. MPICH 4.0 itself
 * crashes of it.
 *
 * check: -n 3: none
 * check: -n 3 -- twice: none
 * check: -n 3 -- more: deadlock error THIRD
 * check: -n 3 -- open: no-finalize error -
 * check: -n 3 -- world: after-finalize error WORLD
 * runs: -n 3: 2, merged 1
 * runs: -n 3 -- twice: 4, merged 1
 * runs: -n 3 -- more: 2, merged 2
 * runs: -n 3 -- open: 2, merged 1
 * runs: -n 3 -- world: 1, merged 1
 * mpi: mpich
 */
#include <mpi.h>
#include <string.h>

static int is(const char *word, const char *what)
{
    return word && strcmp(word, what) == 0;
}

static void meet(const char *how)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int rank, first = 0, value;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "late", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
        if (is(how, "more"))
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE); /* THIRD */
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, comm);
    }
    MPI_Comm_free(&comm);
    if (!is(how, "open"))
        MPI_Session_finalize(&session);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : NULL;
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (is(how, "world")) {
        MPI_Barrier(MPI_COMM_WORLD); /* WORLD */
        return 0;
    }
    meet(how);
    if (is(how, "twice"))
        meet(how);
    return 0;
}
