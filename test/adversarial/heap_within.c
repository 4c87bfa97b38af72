/*
 * Buffers that look as if they left their block of malloc and do not: the last elements, several arrays in one block,
 * blocks that have grown, shrunk and come back, counts of zero, MPI_PROC_NULL, absolute addresses, types that begin
 * below their buffer, and a struct type that goes from one block to another, as textbooks have it.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <mpi.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static int rank;

static void pass(void *buf, int count, MPI_Datatype type)
{
    if (rank == 0)
        MPI_Send(buf, count, type, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(buf, count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void pass_type(void *buf, int count, MPI_Datatype type)
{
    MPI_Type_commit(&type);
    pass(buf, count, type);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    MPI_Datatype type, inner;
    MPI_Aint at[3];
    int lengths[] = {9, 3, 1};
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_INT};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    int *block = calloc(9, sizeof(int));
    pass(block, 9, MPI_INT);
    pass(block + 8, 1, MPI_INT);
    pass(block + 9, 0, MPI_INT);
    MPI_Send(block, 1000, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);

    char *pool = calloc(1, 1 << 20);
    for (int i = 0; i < 16; i++)
        pass(pool + i * 65536, 16384, MPI_INT);

    double *grows = NULL;
    for (int n = 1; n <= 64; n++) {
        grows = realloc(grows, n * sizeof(double));
        grows[n - 1] = n;
        pass(grows, n, MPI_DOUBLE);
    }
    grows = realloc(grows, 3 * sizeof(double));
    pass(grows, 3, MPI_DOUBLE);

    for (int n = 5; n < 200; n += 13) {
        char *often = calloc(1, n);
        pass(often, n, MPI_CHAR);
        free(often);
    }
    for (int i = 0; i < 5; i++)
        free(malloc(20 + i));
    int *again = calloc(1, 5000);
    pass(again, 1250, MPI_INT);

    char *usable = malloc(21);
    memset(usable, 0, malloc_usable_size(usable));
    pass(usable, malloc_usable_size(usable), MPI_CHAR);

    int *solo = calloc(1, sizeof(int));
    MPI_Get_address(block, &at[0]);
    MPI_Get_address(grows, &at[1]);
    MPI_Get_address(solo, &at[2]);
    MPI_Type_create_struct(3, lengths, at, types, &type);
    pass_type(MPI_BOTTOM, 1, type);
    at[1] -= at[0];
    at[2] -= at[0];
    at[0] = 0;
    MPI_Type_create_struct(3, lengths, at, types, &type);
    pass_type(block, 1, type);

    MPI_Type_vector(3, 1, -2, MPI_INT, &type);
    pass_type(block + 8, 1, type);
    MPI_Type_vector(3, 1, 3, MPI_INT, &inner);
    MPI_Type_create_resized(inner, 0, sizeof(int), &type);
    MPI_Type_free(&inner);
    pass_type(block, 3, type);

    free(block);
    free(pool);
    free(grows);
    free(again);
    free(usable);
    free(solo);
    MPI_Finalize();
    return 0;
}
