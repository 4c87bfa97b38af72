/*
 * Neighbourhood collectives on a ring, MPI_BOTTOM on both sides: blocking, non-blocking and, by each neighbour's own
 * datatype, MPI_Neighbor_alltoallw, whose displacements are the addresses.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

static int from[3], to[8], rank;

static void fill(void)
{
    for (int i = 0; i < 8; i++)
        to[i] = -1;
    for (int i = 0; i < 3; i++)
        from[i] = 10 * rank + i;
}

/* Both neighbours of a ring of two are the other rank. */
static void expect(int i, int element)
{
    if (to[i] != 10 * (1 - rank) + element)
        abort();
}

static MPI_Datatype absolute(int *base)
{
    MPI_Aint at[2];
    MPI_Datatype type, resized;
    MPI_Get_address(&base[0], &at[0]);
    MPI_Get_address(&base[2], &at[1]);
    MPI_Type_create_hindexed(2, (int[]){1, 1}, at, MPI_INT, &type);
    MPI_Type_create_resized(type, at[0], 4 * sizeof(int), &resized);
    MPI_Type_commit(&resized);
    MPI_Type_free(&type);
    return resized;
}

int main(int argc, char **argv)
{
    MPI_Comm ring;
    MPI_Request request;
    MPI_Aint out_at, in_at;

    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){2}, (int[]){1}, 0, &ring);
    MPI_Comm_rank(ring, &rank);
    MPI_Datatype out = absolute(from), in = absolute(to);
    fill();
    MPI_Neighbor_allgather(MPI_BOTTOM, 1, out, MPI_BOTTOM, 1, in, ring);
    expect(0, 0), expect(2, 2), expect(4, 0), expect(6, 2);
    fill();
    MPI_Ineighbor_allgather(MPI_BOTTOM, 1, out, MPI_BOTTOM, 1, in, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(0, 0), expect(2, 2), expect(4, 0), expect(6, 2);
    fill();
    MPI_Get_address(from, &out_at);
    MPI_Get_address(to, &in_at);
    MPI_Neighbor_alltoallw(MPI_BOTTOM, (int[]){1, 1}, (MPI_Aint[]){out_at, out_at + (MPI_Aint)sizeof(int)},
                           (MPI_Datatype[]){MPI_INT, MPI_INT}, MPI_BOTTOM, (int[]){1, 1},
                           (MPI_Aint[]){in_at, in_at + (MPI_Aint)sizeof(int)}, (MPI_Datatype[]){MPI_INT, MPI_INT}, ring);
    if (to[0] + to[1] != 2 * 10 * (1 - rank) + 1)
        abort();
    MPI_Type_free(&out);
    MPI_Type_free(&in);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
