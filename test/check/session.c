/*
 * What can be wrong with sessions, each beside a program that is nearly the same.
 *
 * mpi: mpich
 * one run: yes
 * check: -n 2 -- right: none
 * check: -n 2 -- world: invalid-argument error WORLD
 * check: -n 2 -- late: after-finalize error LATE
 * check: -n 2 -- open: no-finalize error -
 * check: -n 2 -- leak: comm-leak warning MAKES
 * check: -n 2 -- group: group-leak warning GROUP
 * check: -n 2 -- tags: collective-comm error MAKES
 * check: -n 2 -- none: invalid-argument error GROUP
 * check: -n 2 -- inits: none
 */
#include <mpi.h>
#include <string.h>

static const char *what;

static int is(const char *word)
{
    return !strcmp(what, word);
}

int main(int argc, char **argv)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int rank, size, sum;

    what = argc > 1 ? argv[1] : "right";
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    if (is("inits"))
        MPI_Init(&argc, &argv);
    if (is("world") || is("inits"))
        MPI_Comm_size(MPI_COMM_WORLD, &size); /* WORLD */
    if (is("inits"))
        MPI_Finalize();
    MPI_Group_from_session_pset(session, is("none") ? "mpi://nobody" : "mpi://WORLD", &group); /* GROUP */
    MPI_Group_rank(group, &rank);
    MPI_Comm_create_from_group(group, is("tags") && rank ? "b" : "a", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm); /* MAKES */
    if (!is("group"))
        MPI_Group_free(&group);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (!is("leak"))
        MPI_Comm_free(&comm);
    if (!is("open"))
        MPI_Session_finalize(&session);
    if (is("late"))
        MPI_Type_contiguous(2, MPI_INT, &(MPI_Datatype){MPI_INT}); /* LATE */
    return 0;
}
