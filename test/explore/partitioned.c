/*
 * Two senders, each with a partitioned message for rank 0, which asks for one partition of each, once.  On a first start it asks
 * for the start and then for the partition (P4), either of which may be answered with no: three ways for each.  With `again`
 * it knows how the message is divided, and asks on the second start: two ways.
 * `later`: the sender marks its first partition when it has heard that the second one came.
 * `crossed`: both ranks wait for their sends before they start their receives, which MPI need not buffer.
 *
 * mpi: mpich
 * explore: -n 3 infinite: runs 9 clean 9
 * explore: -n 3 zero: runs 9 clean 9
 * explore: -n 3 any: runs 9 clean 9
 * merged: -n 3 any: runs 1 clean 1
 * explore: -n 3 zero -- again: runs 4 clean 4
 * explore: -n 3 any -- again: runs 4 clean 4
 * explore: -n 2 zero -- later: runs 1 clean 1
 * explore: -n 2 any -- later: runs 1 clean 1
 * explore: -n 2 infinite -- crossed: runs 1 clean 1
 * explore: -n 2 zero -- crossed: runs 1 deadlock 1
 * explore: -n 2 any -- crossed: runs 1 clean 1 cuts 1
 */
#include <mpi.h>
#include <string.h>

enum { PARTS = 2 };

static int v[2][PARTS];

static void ask(int again)
{
    MPI_Request request[2];
    int came[2];

    for (int i = 0; i < 2; i++)
        MPI_Precv_init(v[i], PARTS, 1, MPI_INT, 1 + i, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request[i]);
    if (again) {
        MPI_Startall(2, request);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Startall(2, request);
    for (int i = 0; i < 2; i++)
        MPI_Parrived(request[i], 1, &came[i]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&request[i]);
}

static void answer(int again)
{
    MPI_Request request;

    MPI_Psend_init(v[0], PARTS, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < 1 + again; i++) {
        MPI_Start(&request);
        MPI_Pready_range(0, PARTS - 1, request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

static void later(int rank)
{
    MPI_Request request;
    int flag = 0, word = 0;

    if (rank == 0) {
        MPI_Precv_init(v[0], PARTS, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        while (!flag)
            MPI_Parrived(request, 1, &flag);
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Psend_init(v[0], PARTS, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready(1, request);
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Pready(0, request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void cross(int rank)
{
    MPI_Request request[2];

    MPI_Psend_init(v[0], PARTS, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    MPI_Precv_init(v[1], 1, PARTS, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request[i]);
        if (i == 0)
            MPI_Pready_range(0, PARTS - 1, request[0]);
        MPI_Wait(&request[i], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&request[i]);
}

int main(int argc, char **argv)
{
    int rank, again = argc > 1 && !strcmp(argv[1], "again");

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && !strcmp(argv[1], "later"))
        later(rank);
    else if (argc > 1 && !again)
        cross(rank);
    else if (rank == 0)
        ask(again);
    else
        answer(again);
    MPI_Finalize();
    return 0;
}
