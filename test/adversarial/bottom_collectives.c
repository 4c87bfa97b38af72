/*
 * Every collective that moves data, from and to MPI_BOTTOM with datatypes of absolute addresses that have gaps.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * check: -n 2 -- nonblocking: none
 * runs: -n 2 -- nonblocking: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

enum { RANKS = 2 };
static int from[8], to[8], rank, nonblocking;
static MPI_Datatype out, in; /* the elements 1 and 3 of an array; an extent further lies element 4 */

static MPI_Datatype absolute(int *base)
{
    MPI_Aint at[2];
    MPI_Datatype type, resized;
    MPI_Get_address(&base[1], &at[0]);
    MPI_Get_address(&base[3], &at[1]);
    MPI_Type_create_hindexed(2, (int[]){1, 1}, at, MPI_INT, &type);
    MPI_Type_create_resized(type, at[0], 4 * sizeof(int), &resized);
    MPI_Type_commit(&resized);
    MPI_Type_free(&type);
    return resized;
}

static void fill(void)
{
    for (int i = 0; i < 8; i++) {
        from[i] = 100 * rank + i;
        to[i] = -1;
    }
}

/* The element `i` of what is there now comes from the element `element` of rank `source`. */
static void expect(int i, int source, int element)
{
    if (to[i] != 100 * source + element)
        abort();
}


#define CALL(name, iname, ...) \
    (nonblocking ? MPI_##iname(__VA_ARGS__, MPI_COMM_WORLD, &request) : MPI_##name(__VA_ARGS__, MPI_COMM_WORLD))
#define FINISH() (nonblocking ? MPI_Wait(&request, MPI_STATUS_IGNORE) : 0)

int main(int argc, char **argv)
{
    MPI_Request request;
    int one[] = {1, 1}, zero[] = {0, 0}, steps[] = {0, 1};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    nonblocking = argc > 1;
    out = absolute(from);
    in = absolute(to);
    MPI_Datatype outs[] = {out, out}, ins[] = {in, in};

    fill();
    CALL(Bcast, Ibcast, MPI_BOTTOM, 1, rank ? in : out, 0);
    FINISH();
    if (rank)
        expect(1, 0, 1), expect(3, 0, 3);

    fill();
    CALL(Gather, Igather, MPI_BOTTOM, 1, out, MPI_BOTTOM, 1, in, 1);
    FINISH();
    if (rank)
        expect(1, 0, 1), expect(3, 0, 3), expect(5, 1, 1), expect(7, 1, 3);

    fill();
    CALL(Scatter, Iscatter, MPI_BOTTOM, 1, out, MPI_BOTTOM, 1, in, 0);
    FINISH();
    expect(1, 0, 1 + 4 * rank), expect(3, 0, 3 + 4 * rank);

    fill();
    CALL(Allgather, Iallgather, MPI_BOTTOM, 1, out, MPI_BOTTOM, 1, in);
    FINISH();
    expect(1, 0, 1), expect(3, 0, 3), expect(5, 1, 1), expect(7, 1, 3);

    fill();
    CALL(Allgatherv, Iallgatherv, MPI_BOTTOM, 1, out, MPI_BOTTOM, one, steps, in);
    FINISH();
    expect(1, 0, 1), expect(3, 0, 3), expect(5, 1, 1), expect(7, 1, 3);

    fill();
    CALL(Gatherv, Igatherv, MPI_BOTTOM, 1, out, MPI_BOTTOM, one, steps, in, 0);
    FINISH();
    if (!rank)
        expect(1, 0, 1), expect(3, 0, 3), expect(5, 1, 1), expect(7, 1, 3);

    fill();
    CALL(Scatterv, Iscatterv, MPI_BOTTOM, one, steps, out, MPI_BOTTOM, 1, in, 1);
    FINISH();
    expect(1, 1, 1 + 4 * rank), expect(3, 1, 3 + 4 * rank);

    fill();
    CALL(Alltoall, Ialltoall, MPI_BOTTOM, 1, out, MPI_BOTTOM, 1, in);
    FINISH();
    for (int i = 0; i < RANKS; i++)
        expect(1 + 4 * i, i, 1 + 4 * rank), expect(3 + 4 * i, i, 3 + 4 * rank);

    fill();
    CALL(Alltoallv, Ialltoallv, MPI_BOTTOM, one, steps, out, MPI_BOTTOM, one, steps, in);
    FINISH();
    for (int i = 0; i < RANKS; i++)
        expect(1 + 4 * i, i, 1 + 4 * rank), expect(3 + 4 * i, i, 3 + 4 * rank);

    fill();
    int bytes[] = {0, 4 * sizeof(int)};
    CALL(Alltoallw, Ialltoallw, MPI_BOTTOM, one, zero, outs, MPI_BOTTOM, one, bytes, ins);
    FINISH();
    for (int i = 0; i < RANKS; i++)
        expect(1 + 4 * i, i, 1), expect(3 + 4 * i, i, 3);

    MPI_Type_free(&out);
    MPI_Type_free(&in);
    MPI_Finalize();
    return 0;
}
