/*
 * A variable is sent or received as another type of number than it is declared as.
 *
 * check: -n 2 -- double: buffer-type warning DOUBLE
 * runs: -n 2 -- double: 1, merged 1
 * check: -n 2 -- float: buffer-type warning FLOAT
 * runs: -n 2 -- float: 1, merged 1
 * check: -n 2 -- long: buffer-type warning LONG
 * runs: -n 2 -- long: 1, merged 1
 * check: -n 2 -- member: buffer-type warning MEMBER
 * runs: -n 2 -- member: 1, merged 1
 * check: -n 2 -- struct: buffer-type warning STRUCT
 * runs: -n 2 -- struct: 1, merged 1
 * check: -n 2 -- reduce: buffer-type warning REDUCE
 * runs: -n 2 -- reduce: 1, merged 1
 * check: -n 2 -- receive: buffer-type warning RECEIVE
 * runs: -n 2 -- receive: 1, merged 1
 */
#include <mpi.h>
#include <stddef.h>
#include <string.h>

struct body {
    int id;
    double place[3];
    float weight;
};

static double table[4][4];
static int rank;

static void other(int bytes)
{
    char room[256];
    if (rank == 1)
        MPI_Recv(room, 256, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    float values[8] = {0};
    long numbers[4] = {0};
    struct body bodies[2];
    double sum[2] = {0}, total[2];
    MPI_Datatype type;
    int lengths[] = {1, 3, 1};
    MPI_Aint at[] = {0, offsetof(struct body, place), offsetof(struct body, weight)};
    MPI_Datatype types[] = {MPI_INT, MPI_FLOAT, MPI_FLOAT};

    memset(bodies, 0, sizeof bodies);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *what = argv[1];
    if (!strcmp(what, "double") && rank == 0)
        MPI_Send(&table[1][1], 4, MPI_INT, 1, 0, MPI_COMM_WORLD); /* DOUBLE */
    if (!strcmp(what, "float") && rank == 0)
        MPI_Send(values, 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); /* FLOAT */
    if (!strcmp(what, "long") && rank == 0)
        MPI_Send(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD); /* LONG */
    if (!strcmp(what, "member") && rank == 0)
        MPI_Send(bodies[1].place, 3, MPI_LONG, 1, 0, MPI_COMM_WORLD); /* MEMBER */
    if (!strcmp(what, "struct") && rank == 0) {
        MPI_Type_create_struct(3, lengths, at, types, &type);
        MPI_Type_commit(&type);
        MPI_Send(bodies, 1, type, 1, 0, MPI_COMM_WORLD); /* STRUCT */
        MPI_Type_free(&type);
    }
    if (!strcmp(what, "reduce"))
        MPI_Allreduce(rank == 0 ? (void *)sum : (void *)values, total, 2, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD); /* REDUCE */
    else if (!strcmp(what, "receive")) {
        if (rank == 0)
            MPI_Send(values, 8, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(numbers, 8, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECEIVE */
    } else
        other(256);
    MPI_Finalize();
    return 0;
}
