/*
 * A message longer than the receive: MPI_ERR_TRUNCATE, from Recv, Wait and
 * Waitall; the communication goes on afterwards.
 *
 * What stands in the buffer then is undefined and not looked at.
 *
 * run: -n 2
 */
#include "check.h"

static void receiver(void)
{
    int v[4], w[4], ok = -1, code;
    MPI_Request requests[3];
    MPI_Status statuses[3];

    code = MPI_Recv(v, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &statuses[0]);
    say("recv: truncate %d", class_of(code) == MPI_ERR_TRUNCATE);
    CHECK(class_of(code) == MPI_ERR_TRUNCATE);

    MPI_Irecv(v, 0, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[0]);
    code = MPI_Wait(&requests[0], &statuses[0]);
    say("wait: truncate %d source %d", class_of(code) == MPI_ERR_TRUNCATE,
        statuses[0].MPI_SOURCE);
    CHECK(class_of(code) == MPI_ERR_TRUNCATE);

    MPI_Irecv(&ok, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(w, 3, MPI_INT, 0, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(v, 4, MPI_INT, 0, 4, MPI_COMM_WORLD, &requests[2]);
    code = MPI_Waitall(3, requests, statuses);
    say("waitall: in status %d, first fine %d value %d, second truncate %d",
        class_of(code) == MPI_ERR_IN_STATUS, statuses[0].MPI_ERROR == MPI_SUCCESS, ok,
        class_of(statuses[1].MPI_ERROR) == MPI_ERR_TRUNCATE);
    CHECK(class_of(statuses[1].MPI_ERROR) == MPI_ERR_TRUNCATE);
    /* After an error the others may still be pending. */
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);

    code = MPI_Recv(v, 4, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("then: success %d value %d", code == MPI_SUCCESS, v[3]);
    CHECK(code == MPI_SUCCESS && v[3] == 4);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        int v[4] = {1, 2, 3, 4};
        for (int tag = 0; tag < 6; tag++)
            MPI_Send(v, tag == 2 ? 1 : 4, MPI_INT, 1, tag, MPI_COMM_WORLD);
    } else {
        receiver();
    }
    return finish();
}
