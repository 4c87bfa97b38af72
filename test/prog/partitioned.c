/*
 * Partitioned communication: parts marked ready in any order, both sides divided alike and otherwise, pairs by the order of
 * their init calls, several rounds.
 *
 * mpi: mpich
 * run: -n 2
 */
#include "check.h"

enum { PARTS = 4, EACH = 3, ALL = PARTS * EACH, ROUNDS = 3 };

static void fill(int *v, int round)
{
    for (int i = 0; i < ALL; i++)
        v[i] = 100 * round + i;
}

static void mark(int round, MPI_Request send)
{
    int order[PARTS] = {2, 0, 3, 1};

    if (round == 0) {
        for (int i = PARTS; i-- > 0;)
            MPI_Pready(i, send);
    } else if (round == 1) {
        MPI_Pready(3, send);
        MPI_Pready_range(0, 2, send);
    } else {
        MPI_Pready_list(PARTS, order, send);
    }
}

static void sending(int tag)
{
    int v[ALL];
    MPI_Request send;
    MPI_Status status;

    MPI_Psend_init(v, PARTS, EACH, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &send);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Start(&send);
        fill(v, round);
        mark(round, send);
        MPI_Wait(&send, &status);
    }
    MPI_Request_free(&send);
    CHECK(send == MPI_REQUEST_NULL);
}

static void receiving(int tag, int parts)
{
    int v[ALL], n, flag;
    MPI_Request recv;
    MPI_Status status;

    MPI_Precv_init(v, parts, ALL / parts, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &recv);
    for (int round = 0; round < ROUNDS; round++) {
        memset(v, -1, sizeof v);
        MPI_Start(&recv);
        if (round == 1)
            for (int i = 0; i < parts; i++) {
                do
                    MPI_Parrived(recv, i, &flag);
                while (!flag);
                CHECK(v[i * ALL / parts] == 100 + i * ALL / parts);
            }
        if (round == 2)
            do
                MPI_Test(&recv, &flag, &status);
            while (!flag);
        else
            MPI_Wait(&recv, &status);
        MPI_Get_count(&status, MPI_INT, &n);
        say("tag %d, %d parts, round %d: %d ints of rank %d, tag %d", tag, parts, round, n, status.MPI_SOURCE, status.MPI_TAG);
        say_ints("   ", v, ALL);
    }
    MPI_Request_free(&recv);
}

/* Two with one envelope: the first init goes with the first, whatever is started first. */
static void pairs(void)
{
    int a[2] = {1, 2}, b[2] = {3, 4};
    MPI_Request request[2];

    for (int i = 0; i < 2; i++)
        if (rank == 0)
            MPI_Psend_init(i ? b : a, 2, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request[i]);
        else
            MPI_Precv_init(i ? b : a, 1, 2, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request[i]);
    for (int i = 0; i < 2; i++) {
        int which = rank == 0 ? 1 - i : i;

        MPI_Start(&request[which]);
        if (rank == 0)
            MPI_Pready_range(0, 1, request[which]);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    say("pairs: %d %d, %d %d", a[0], a[1], b[0], b[1]);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

int main(int argc, char **argv)
{
    static const int parts[] = {PARTS, 1, 2, 6, ALL};

    begin(&argc, &argv);
    for (int i = 0; i < LENGTH(parts); i++)
        if (rank == 0)
            sending(i);
        else
            receiving(i, parts[i]);
    pairs();
    return finish();
}
