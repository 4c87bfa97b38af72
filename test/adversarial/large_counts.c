/*
 * Counts and displacements above 2^32 in a search, in memory that is hardly touched: two ranks send two bytes each to rank 0, which receives
 * from any source with room for so many that 32 bits of the number would say one, and gathers to places as far apart.
 *
 * mpi: mpich
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- short: truncation error RECEIVES
 * runs: -n 3 -- short: 2, merged 2
 */
#include <mpi.h>
#include <stddef.h>
#include <sys/mman.h>

static const MPI_Count beyond = ((MPI_Count)1 << 32) + 1;

static void collect(char *memory, MPI_Count room)
{
    for (int i = 0; i < 2; i++)
        MPI_Recv_c(memory, room, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECEIVES */
    memory[0] = memory[1] = 0;
}

int main(int argc, char **argv)
{
    const MPI_Count counts[3] = {1, 1, 1};
    const MPI_Aint places[3] = {0, 1, beyond};
    char *memory = mmap(NULL, (size_t)beyond + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char mine[2];
    int rank, wrong;

    (void)argv;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine[0] = mine[1] = (char)rank;
    if (rank == 0)
        collect(memory, argc > 1 ? 1 : beyond);
    else
        MPI_Send_c(mine, 2, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    MPI_Gatherv_c(mine, 1, MPI_BYTE, memory, counts, places, MPI_BYTE, 0, MPI_COMM_WORLD);
    wrong = rank == 0 && (memory[1] != 1 || memory[beyond] != 2);
    MPI_Finalize();
    return wrong;
}
