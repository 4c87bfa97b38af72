/*
 * What statuses tell: source, tag, Get_count, Get_elements of whole and of
 * partial derived types, MPI_UNDEFINED, status arrays, Status_set_*.
 *
 * run: -n 2
 */
#include "check.h"

static MPI_Datatype pair_of_int_and_double(void)
{
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE}, type;

    MPI_Type_create_struct(2, lengths, places, parts, &type);
    MPI_Type_commit(&type);
    return type;
}

static void counts(const char *what, const MPI_Status *status, MPI_Datatype type)
{
    int count, elements;
    MPI_Count wide;

    MPI_Get_count(status, type, &count);
    MPI_Get_elements(status, type, &elements);
    MPI_Get_elements_x(status, type, &wide);
    if (count == MPI_UNDEFINED)
        say("%s: count undefined, elements %d", what, elements);
    else
        say("%s: count %d elements %d", what, count, elements);
    CHECK(wide == elements);
}

static void whole_and_partial(void)
{
    MPI_Datatype pair = pair_of_int_and_double(), three, send_type;
    char buffer[200] = {0};
    MPI_Status status;

    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_commit(&three);
    /* i ints out of triples; pairs cut after an int need a type of their own. */
    for (int ints = 0; ints <= 7; ints += ints < 6 ? 2 : 1) {
        if (rank == 0) {
            MPI_Send(buffer, ints, MPI_INT, 1, ints, MPI_COMM_WORLD);
        } else {
            char what[40];
            MPI_Recv(buffer, 4, three, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            snprintf(what, sizeof what, "%d ints as triples", status.MPI_TAG);
            counts(what, &status, three);
            counts("  as ints", &status, MPI_INT);
        }
    }
    for (int tail = 0; tail < 2; tail++) {
        int lengths[2] = {2, tail};
        MPI_Aint places[2] = {0, 32};
        MPI_Datatype parts[2] = {pair, MPI_INT};
        MPI_Type_create_struct(2, lengths, places, parts, &send_type);
        MPI_Type_commit(&send_type);
        if (rank == 0) {
            MPI_Send(buffer, 1, send_type, 1, tail, MPI_COMM_WORLD);
        } else {
            MPI_Recv(buffer, 4, pair, 0, tail, MPI_COMM_WORLD, &status);
            counts(tail ? "two pairs and an int" : "two pairs", &status, pair);
        }
        MPI_Type_free(&send_type);
    }
    MPI_Type_free(&three);
    MPI_Type_free(&pair);
}

static void odd_bytes(void)
{
    char bytes[7] = {0};
    MPI_Status status;
    int count;

    if (rank == 0) {
        MPI_Send(bytes, 7, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(bytes, 7, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        say("7 bytes as ints: undefined %d", count == MPI_UNDEFINED);
        CHECK(count == MPI_UNDEFINED);
    }
}

static void arrays(void)
{
    int v[3], peer = 1 - rank;
    MPI_Request requests[6];
    MPI_Status statuses[6];

    for (int i = 0; i < 3; i++) {
        MPI_Irecv(&v[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(&rank, 1, MPI_INT, peer, 2 - i, MPI_COMM_WORLD, &requests[3 + i]);
    }
    MPI_Waitall(6, requests, statuses);
    for (int i = 0; i < 3; i++) {
        say("status %d: source %d tag %d", i, statuses[i].MPI_SOURCE, statuses[i].MPI_TAG);
        CHECK(statuses[i].MPI_TAG == i && statuses[i].MPI_SOURCE == peer);
    }
}

static void set_by_hand(void)
{
    MPI_Status status;
    int count, flag;

    memset(&status, 0, sizeof status);
    MPI_Status_set_elements(&status, MPI_DOUBLE, 11);
    MPI_Status_set_cancelled(&status, 1);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    MPI_Test_cancelled(&status, &flag);
    say("by hand: count %d cancelled %d", count, flag);
    MPI_Status_set_elements_x(&status, MPI_DOUBLE, 12);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    CHECK(count == 12);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    whole_and_partial();
    odd_bytes();
    arrays();
    set_by_hand();
    return finish();
}
