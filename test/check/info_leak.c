/*
 * Info objects that are not freed, created and got.
 *
 * check: -n 1 -- wrong: info-leak warning CREATE
 * check: -n 1 -- wrong: info-leak warning DUP
 * check: -n 1: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Info info, copy;
    MPI_Init(&argc, &argv);
    MPI_Info_create(&info); /* CREATE */
    MPI_Info_set(info, "key", "value");
    MPI_Info_dup(info, &copy); /* DUP */
    if (argc == 1) {
        MPI_Info_free(&info);
        MPI_Info_free(&copy);
    }
    MPI_Finalize();
    return 0;
}
