/*
 * Datatypes and operators freed while communication with them is pending.
 *
 * run: -n 2
 */
#include "check.h"

static void messages(void)
{
    int peer = 1 - rank, out[6], in[6];
    MPI_Datatype type, other;
    MPI_Request requests[4];

    for (int i = 0; i < 6; i++) {
        out[i] = 10 * rank + i;
        in[i] = -1;
    }
    MPI_Type_vector(3, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Irecv(in, 1, type, peer, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 1, type, peer, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Type_free(&type);
    /* Something else may take the freed handle's place. */
    MPI_Type_contiguous(6, MPI_CHAR, &other);
    MPI_Type_commit(&other);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    say_ints("messages", in, 6);
    CHECK(in[4] == 10 * peer + 4 && in[1] == -1);
    MPI_Type_free(&other);
}

static void persistent(void)
{
    int peer = 1 - rank, out[4], in[4] = {-1, -1, -1, -1};
    MPI_Datatype type;
    MPI_Request requests[2];

    MPI_Type_create_indexed_block(2, 1, (int[]){3, 0}, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Recv_init(in, 1, type, peer, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out, 1, type, peer, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Type_free(&type);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 4; i++)
            out[i] = 100 * round + 10 * rank + i;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        say_ints("persistent", in, 4);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void add_pairs(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int *a = in, *b = inout;

    (void)type;
    for (int i = 0; i < 2 * *n; i++)
        b[i] += a[i];
}

static void collective(void)
{
    int out[4] = {rank, 1, 2, 3}, in[4] = {0};
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Request request;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(add_pairs, 1, &op);
    MPI_Iallreduce(out, in, 2, pair, op, MPI_COMM_WORLD, &request);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_ints("collective", in, 4);
    CHECK(in[0] == 1 && in[3] == 6);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    messages();
    persistent();
    collective();
    return finish();
}
