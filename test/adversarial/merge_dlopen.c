/*
 * Rank 0 hears from all others, in any order, and loads a library each time, as an MPI library does when it is needed: what the loader does to
 * the memory of the rank is the same in all orders and keeps no states apart.
 *
 * check: -n 4: none
 * runs: -n 4: 36, merged 1
 */
#include <dlfcn.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value = 0;
    static const char *const library[] = {"libcrypt.so.1", "libresolv.so.2"};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 2; round++) {
        for (int i = 1; rank == 0 && i < size; i++)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank)
            MPI_Send(&round, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
        if (rank == 0 && !dlopen(library[round], RTLD_NOW))
            return 1;
    }
    MPI_Finalize();
    return 0;
}
