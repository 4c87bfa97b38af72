/*
 * Groups that are not freed.  MPI_GROUP_EMPTY need not be.
 *
 * check: -n 2 -- wrong: group-leak warning COMM
 * check: -n 2 -- wrong: group-leak warning INCL
 * check: -n 2: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Group all, one, none;
    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all); /* COMM */
    MPI_Group_incl(all, 1, (int[]){0}, &one); /* INCL */
    MPI_Group_difference(one, all, &none);
    if (argc == 1) {
        MPI_Group_free(&all);
        MPI_Group_free(&one);
    }
    MPI_Finalize();
    return 0;
}
