/*
 * The attributes that every job has: what mpiexec's ranks are told, on MPI_COMM_WORLD and a duplicate of it.
 *
 * run: -n 2
 * compare: each
 */
#include <mpi.h>
#include <stdio.h>

static void show(const char *name, MPI_Comm comm, int keyval)
{
    int *value, flag = -1;
    MPI_Comm_get_attr(comm, keyval, &value, &flag);
    printf("%s: %d %d\n", name, flag, flag ? *value : -7);
}

static void show_all(MPI_Comm comm)
{
    show("MPI_TAG_UB", comm, MPI_TAG_UB);
    show("MPI_HOST", comm, MPI_HOST);
    show("MPI_WTIME_IS_GLOBAL", comm, MPI_WTIME_IS_GLOBAL);
    show("MPI_APPNUM", comm, MPI_APPNUM);
    show("MPI_UNIVERSE_SIZE", comm, MPI_UNIVERSE_SIZE);
}

int main(int argc, char **argv)
{
    MPI_Comm twin;
    int class;
    MPI_Init(&argc, &argv);
    show_all(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    show_all(twin);
    MPI_Comm_free(&twin);
    show_all(MPI_COMM_SELF);
    show("MPI_LASTUSEDCODE", MPI_COMM_WORLD, MPI_LASTUSEDCODE);
    MPI_Add_error_class(&class);
    show("MPI_LASTUSEDCODE", MPI_COMM_WORLD, MPI_LASTUSEDCODE);
    MPI_Finalize();
    return 0;
}
