/*
 * Buffers that look too large for their variable and are not: a struct sent from its first member, a matrix from one of
 * its rows, the textbook's struct type of several variables, absolute addresses, arrays whose length is known at run time
 * only, alloca, memory that was handed out of a large array, parameters that are arrays, variables that take turns in one
 * place, counts of zero.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <alloca.h>
#include <mpi.h>
#include <string.h>

struct particle {
    int id[2];
    double place[3];
    int tail[4];
};

static char pool[4096];
static int used, rank;
static int matrix[5][6];
static int left, right; /* neighbours, and sent by one type */

static void pass(void *buf, int count, MPI_Datatype type)
{
    if (rank == 0)
        MPI_Send(buf, count, type, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(buf, count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void *take(int bytes)
{
    void *memory = pool + used;
    used += bytes;
    return memory;
}

static void pass_parameter(int values[2], int count)
{
    pass(values, count, MPI_INT);
}

static void pass_by_value(struct particle p)
{
    pass(&p, sizeof p, MPI_BYTE);
}

static void pass_flexible(int n)
{
    int values[n], *more = alloca(n * sizeof(int));
    memset(values, 0, sizeof values);
    memset(more, 0, n * sizeof(int));
    pass(values, n, MPI_INT);
    pass(more, n, MPI_INT);
}

static void take_turns(void)
{
    {
        int few[3] = {0};
        pass(few, 3, MPI_INT);
    }
    {
        int many[30] = {0};
        pass(many, 30, MPI_INT);
    }
}

int main(int argc, char **argv)
{
    struct particle one, many[3];
    int a = 0, b = 0, long_array[100];
    double x = 0;
    union {
        int number[2];
        char bytes[64];
    } either;
    MPI_Datatype type;
    int lengths[] = {1, 1, 1};
    MPI_Aint at[3];
    MPI_Datatype types[] = {MPI_INT, MPI_INT, MPI_DOUBLE};

    memset(&one, 0, sizeof one);
    memset(many, 0, sizeof many);
    memset(long_array, 0, sizeof long_array);
    memset(&either, 0, sizeof either);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    pass(one.id, sizeof one, MPI_BYTE);
    pass(many[1].id, 2 * sizeof one, MPI_BYTE);
    pass(matrix[1], 24, MPI_INT);
    pass(&matrix[4][5], 1, MPI_INT);
    pass(take(40), 10, MPI_INT);
    pass(take(800), 100, MPI_DOUBLE);
    pass_parameter(long_array, 100);
    pass_by_value(one);
    pass_flexible(50);
    take_turns();
    pass(either.number, 16, MPI_INT);
    pass(&a, 0, MPI_DOUBLE);
    MPI_Send(&a, 1000, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);

    MPI_Get_address(&a, &at[0]);
    MPI_Get_address(&b, &at[1]);
    MPI_Get_address(&x, &at[2]);
    MPI_Type_create_struct(3, lengths, at, types, &type);
    MPI_Type_commit(&type);
    pass(MPI_BOTTOM, 1, type);
    MPI_Type_free(&type);
    for (int i = 2; i >= 0; i--)
        at[i] -= at[0];
    MPI_Type_create_struct(3, lengths, at, types, &type);
    MPI_Type_commit(&type);
    pass(&a, 1, type);
    MPI_Type_free(&type);

    types[2] = MPI_INT;
    MPI_Get_address(&left, &at[0]);
    MPI_Get_address(&right, &at[1]);
    MPI_Get_address(&used, &at[2]);
    MPI_Type_create_struct(3, lengths, at, types, &type);
    MPI_Type_commit(&type);
    pass(MPI_BOTTOM, 1, type);
    MPI_Type_free(&type);

    MPI_Type_vector(5, 1, 6, MPI_INT, &type);
    MPI_Type_commit(&type);
    pass(&matrix[0][5], 1, type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
