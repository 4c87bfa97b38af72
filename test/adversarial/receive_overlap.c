/*
 * Receives into types whose entries overlap.  MPI forbids that, whether or not the message is long enough to write
 * anything twice; to send with them is allowed, and that is what the first rank does.
 *
 * check: -n 2 -- vector: receive-overlap error RECV
 * runs: -n 2 -- vector: 1, merged 1
 * check: -n 2 -- indexed: receive-overlap error RECV
 * runs: -n 2 -- indexed: 1, merged 1
 * check: -n 2 -- struct: receive-overlap error RECV
 * runs: -n 2 -- struct: 1, merged 1
 * check: -n 2 -- extent: receive-overlap error RECV
 * runs: -n 2 -- extent: 1, merged 1
 * check: -n 2 -- zero: receive-overlap error RECV
 * runs: -n 2 -- zero: 1, merged 1
 * check: -n 2 -- backwards: receive-overlap error RECV
 * runs: -n 2 -- backwards: 1, merged 1
 * check: -n 2 -- short: receive-overlap error RECV
 * runs: -n 2 -- short: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

static int count = 1;

static MPI_Datatype make(const char *how)
{
    MPI_Datatype type, row;
    int lengths[] = {2, 2}, places[] = {0, 1};
    MPI_Aint offsets[] = {0, 4};
    MPI_Datatype types[] = {MPI_INT, MPI_LONG};

    if (!strcmp(how, "vector") || !strcmp(how, "short"))
        MPI_Type_vector(3, 2, 1, MPI_INT, &type);
    else if (!strcmp(how, "indexed"))
        MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
    else if (!strcmp(how, "struct"))
        MPI_Type_create_struct(2, lengths, offsets, types, &type);
    else {
        int step = !strcmp(how, "extent") ? 4 : !strcmp(how, "zero") ? 0 : -4;
        count = 2;
        MPI_Type_contiguous(2, MPI_INT, &row);
        MPI_Type_create_resized(row, 0, step, &type);
        MPI_Type_free(&row);
    }
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv)
{
    static char room[64 * sizeof(int)];
    int rank, *data = (int *)room;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type = make(argv[1]);
    if (rank == 0 && !strcmp(argv[1], "short"))
        MPI_Send(data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else if (rank == 0)
        MPI_Send(data + 16, count, type, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(data + 16, count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECV */
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
