/*
 * Receive types that look as if their entries overlapped and do not: columns that interleave, halves of complex
 * numbers, a type that goes backwards, subarrays of one matrix, entries of size 0, overlap in a type that is sent.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

enum { N = 6 };
static int matrix[N][N], copy[N][N];
static int rank;

static void exchange(int sendcount, MPI_Datatype sendtype, void *to, int count, MPI_Datatype type)
{
    if (rank == 0)
        MPI_Send(matrix, sendcount, sendtype, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(to, count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static MPI_Datatype resized(MPI_Datatype old, MPI_Aint lb, MPI_Aint extent)
{
    MPI_Datatype type;
    MPI_Type_create_resized(old, lb, extent, &type);
    MPI_Type_free(&old);
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv)
{
    MPI_Datatype column, type;
    int lengths[] = {1, 0, 1}, places[] = {2, 1, 0}, same[] = {1, 1, 1}, sizes[] = {N, N}, part[] = {N, 2}, start[] = {0, 2};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Type_vector(N, 1, N, MPI_INT, &type);
    column = resized(type, 0, sizeof(int));
    exchange(N * N, MPI_INT, copy, N, column);

    MPI_Type_vector(N, 1, 2, MPI_INT, &type);
    type = resized(type, 0, sizeof(int));
    exchange(2 * N, MPI_INT, copy, 2, type);
    MPI_Type_free(&type);

    MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
    type = resized(type, 0, -3 * (MPI_Aint)sizeof(int));
    exchange(6, MPI_INT, &copy[2][0], 3, type);
    MPI_Type_free(&type);

    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &type);
    type = resized(type, 0, 2 * sizeof(int));
    exchange(4 * N, MPI_INT, copy, 2, type);
    MPI_Type_free(&type);

    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_FORTRAN, MPI_INT, &type);
    MPI_Type_commit(&type);
    exchange(2 * N, MPI_INT, copy, 1, type);
    MPI_Type_free(&type);

    MPI_Type_indexed(3, same, same, MPI_INT, &type);
    MPI_Type_commit(&type);
    exchange(1, type, copy, 3, MPI_INT);
    if (rank == 1)
        MPI_Recv(copy, 1, type, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);

    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
