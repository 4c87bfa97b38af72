/*
 * What MPI lets a program call at any time: before MPI_Init and after MPI_Finalize, too.
 *
 * check: -n 1: none
 * runs: -n 1: 1, merged 1
 * mpi: mpich
 */
#include <mpi.h>
#include <stdlib.h>

static void at_any_time(int initialized, int finalized)
{
    int version, subversion, length, flag, keys;
    char text[MPI_MAX_LIBRARY_VERSION_STRING], value[10];
    MPI_Info info, twin;

    MPI_Get_version(&version, &subversion);
    MPI_Get_library_version(text, &length);
    MPI_Initialized(&flag);
    if (!flag != !initialized)
        abort();
    MPI_Finalized(&flag);
    if (!flag != !finalized)
        abort();
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_dup(info, &twin);
    MPI_Info_get_nkeys(twin, &keys);
    MPI_Info_get(twin, "key", 9, value, &flag);
    if (keys != 1 || !flag)
        abort();
    MPI_Info_free(&info);
    MPI_Info_free(&twin);
}

int main(int argc, char **argv)
{
    at_any_time(0, 0);
    MPI_Init(&argc, &argv);
    at_any_time(1, 0);
    MPI_Finalize();
    at_any_time(1, 1);
    return 0;
}
