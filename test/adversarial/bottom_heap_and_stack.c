/*
 * One datatype from the heap to the stack: nearly the whole address space lies between its ends, and the program may use
 * all of that while the operation is pending.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

static int between;

int main(int argc, char **argv)
{
    int rank, last = 0, *first = malloc(sizeof *first), *free_to_use;
    MPI_Aint at[2];
    MPI_Datatype type;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *first = rank ? 0 : 1;
    last = rank ? 0 : 2;
    MPI_Get_address(first, &at[0]);
    MPI_Get_address(&last, &at[1]);
    MPI_Type_create_hindexed(2, (int[]){1, 1}, at, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (rank == 0)
        MPI_Isend(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, &request);
    between++;
    free_to_use = malloc(100 * sizeof *free_to_use);
    free_to_use[99] = between;
    free(free_to_use);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (*first != 1 || last != 2)
        abort();
    MPI_Type_free(&type);
    free(first);
    MPI_Finalize();
    return 0;
}
