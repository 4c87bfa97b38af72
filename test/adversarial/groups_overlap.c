/*
 * Ranks that make communicators at once have to name the same group, or groups that share nobody: rank 0 names 0 and 1,
 * ranks 1 and 2 name 1 and 2.  Who is in no group may name whichever is made.
 *
 * check: -n 3 -- overlap: invalid-argument error CREATE
 * runs: -n 3 -- overlap: 1, merged 1
 * check: -n 3 -- order: invalid-argument error CREATE
 * runs: -n 3 -- order: 1, merged 1
 * check: -n 3 -- apart: none
 * runs: -n 3 -- apart: 1, merged 1
 * check: -n 3 -- same: none
 * runs: -n 3 -- same: 1, merged 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, members[2] = {0, 1}, n = 2, what = argv[1][0];
    MPI_Group all, some;
    MPI_Comm made;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (what == 'o' && argv[1][1] == 'v' && rank > 0)
        members[0] = 1, members[1] = 2;
    if (what == 'o' && argv[1][1] == 'r' && rank == 1)
        members[0] = 1, members[1] = 0;
    if (what == 'a' && rank == 2)
        members[0] = 2, n = 1;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, n, members, &some);
    MPI_Comm_create(MPI_COMM_WORLD, some, &made); /* CREATE */
    if (made != MPI_COMM_NULL) {
        MPI_Barrier(made);
        MPI_Comm_free(&made);
    }
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
