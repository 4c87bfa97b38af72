/*
 * Messages without content match, order and carry statuses like all others.
 *
 * run: -n 2
 */
#include "check.h"

int main(int argc, char **argv)
{
    int tags[3], v[4] = {-1, -1, -1, -1}, count, empty_type_count;
    MPI_Datatype empty;
    MPI_Status status;
    MPI_Request requests[2];

    begin(&argc, &argv);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    if (rank == 0) {
        for (int tag = 5; tag < 8; tag++)
            MPI_Send(NULL, 0, MPI_INT, 1, tag, MPI_COMM_WORLD);
        MPI_Send(&tags, 3, empty, 1, 8, MPI_COMM_WORLD);
        MPI_Isend(NULL, 0, MPI_BYTE, 1, 9, MPI_COMM_WORLD, &requests[0]);
        MPI_Issend(NULL, 0, MPI_BYTE, 1, 9, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < 3; i++) {
            /* A longer buffer stays as it is. */
            MPI_Recv(v, 4, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_INT, &count);
            tags[i] = status.MPI_TAG;
            CHECK(count == 0 && v[0] == -1);
        }
        say_ints("tags", tags, 3);
        MPI_Recv(NULL, 0, MPI_INT, 0, 8, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        MPI_Get_count(&status, empty, &empty_type_count);
        say("empty type: %d ints, %d of itself", count, empty_type_count);
        CHECK(count == 0);
        MPI_Irecv(tags, 3, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(v, 4, MPI_INT, 0, 9, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        say("two more received, buffer %d", v[3]);
    }
    MPI_Type_free(&empty);
    return finish();
}
