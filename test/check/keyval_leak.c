/*
 * An attribute key that is not freed.  It may be freed while attributes exist.
 *
 * check: -n 1 -- wrong: keyval-leak warning HERE
 * check: -n 1: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int key;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, 0); /* HERE */
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, 0);
    if (argc == 1)
        MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}
