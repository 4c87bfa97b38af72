/*
 * A library has a session of its own, from before MPI_Init until after MPI_Finalize.
 *
 * mpi: mpich
 * run: -n 3
 */
#include "check.h"

static MPI_Session session;
static MPI_Comm inside;

static void library_begins(void)
{
    MPI_Group group;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "library", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &inside);
    MPI_Group_free(&group);
}

static void library_adds(const char *what)
{
    int me, sum;

    MPI_Comm_rank(inside, &me);
    rank = me;
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, inside);
    say("%s: %d", what, sum);
}

static void library_ends(void)
{
    MPI_Comm_free(&inside);
    MPI_Session_finalize(&session);
}

int main(int argc, char **argv)
{
    int flag, word = 5;

    library_begins();
    library_adds("before");
    begin(&argc, &argv);
    MPI_Initialized(&flag);
    CHECK(flag);
    library_adds("between");
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    MPI_Finalized(&flag);
    CHECK(flag);
    library_adds("after");
    library_ends();
    return failures != 0;
}
