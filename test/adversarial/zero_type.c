/*
 * Seven elements of a type of no bytes are no data, either.
 *
 * check: -n 2 -- contiguous: ready-send error READY
 * runs: -n 2 -- contiguous: 1, merged 1
 * check: -n 2 -- struct: ready-send error READY
 * runs: -n 2 -- struct: 1, merged 1
 * check: -n 2 -- contiguous 1: none
 * runs: -n 2 -- contiguous 1: 1, merged 1
 * check: -n 2 -- struct 1: none
 * runs: -n 2 -- struct 1: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

static int rank;

/* With `full`, of one number each. */
static MPI_Datatype made(const char *kind, int full)
{
    MPI_Datatype type, part = MPI_INT;
    MPI_Aint displ = 0;

    if (!strcmp(kind, "contiguous"))
        MPI_Type_contiguous(full, MPI_INT, &type);
    else
        MPI_Type_create_struct(full, &full, &displ, &part, &type);
    MPI_Type_commit(&type);
    return type;
}

static void meet(const char *kind, int full)
{
    int a[14] = {0}, b[14];
    MPI_Datatype type = made(kind, full);

    MPI_Alltoall(a, 7, type, b, 7, type, MPI_COMM_WORLD);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    int count = argc > 2, word = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Irecv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    meet(argv[1], count);
    if (rank == 0)
        MPI_Rsend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* READY */
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
