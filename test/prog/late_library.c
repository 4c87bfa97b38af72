/*
 * A program that loads the MPI library itself and finds its functions with
 * dlsym(RTLD_DEFAULT), as language bindings do. What the two libraries call
 * MPI_COMM_WORLD and the rest comes from mpi.h; nothing of MPI is linked.
 *
 * run: -n 2
 * libs: -ldl -Wl,--as-needed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#ifdef OPEN_MPI
#define LIBRARY "libmpi.so.40"
#else
#define LIBRARY "libmpich.so.12"
#endif

/* A function of the library, with the type that mpi.h gives it. */
#define FIND(name) ((__typeof__(&name))find(#name))

static void *find(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);

    if (!found)
        printf("no %s\n", name);
    return found;
}

#ifdef OPEN_MPI
/* Open MPI's handles are addresses of objects inside the library. */
#define WORLD dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world")
#define INTEGER dlsym(RTLD_DEFAULT, "ompi_mpi_int")
#define SUM dlsym(RTLD_DEFAULT, "ompi_mpi_op_sum")
#else
#define WORLD MPI_COMM_WORLD
#define INTEGER MPI_INT
#define SUM MPI_SUM
#endif

int main(int argc, char **argv)
{
    int rank, size, sum = -1, one;

    if (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") || !dlopen(LIBRARY, RTLD_NOW | RTLD_GLOBAL)) {
        printf("%s\n", dlerror());
        return 2;
    }
    FIND(MPI_Init)(&argc, &argv);
    FIND(MPI_Comm_rank)(WORLD, &rank);
    FIND(MPI_Comm_size)(WORLD, &size);
    one = rank + 1;
    FIND(MPI_Allreduce)(&one, &sum, 1, INTEGER, SUM, WORLD);
    printf("rank %d: of %d, sum %d\n", rank, size, sum);
    fflush(stdout);
    FIND(MPI_Finalize)();
    return sum == size * (size + 1) / 2 ? 0 : 1;
}
