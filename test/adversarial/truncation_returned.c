/*
 * Messages that are too long for their receives, with MPI_ERRORS_RETURN: each call that completes one returns
 * MPI_ERR_TRUNCATE, those for several MPI_ERR_IN_STATUS and the warning of each in its status.  What MPI leaves open is
 * not asked for.  That messages are too long is told,
 * but the program has asked for it.
 *
 * check: -n 2: truncation warning RECV
 * check: -n 2: truncation warning WAIT
 * check: -n 2: truncation warning WAITALL
 * check: -n 2: truncation warning MRECV
 * check: -n 2: truncation warning PERSISTENT
 * runs: -n 2: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

static void expect(int code, int class)
{
    int got;
    MPI_Error_class(code, &got);
    if (got != class)
        abort();
}

int main(int argc, char **argv)
{
    int rank, v[2] = {1, 2}, n;
    MPI_Request request[2];
    MPI_Status status[2];
    MPI_Message message;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        for (int tag = 0; tag < 6; tag++)
            MPI_Send(v, tag == 3 ? 1 : 2, MPI_INT, 1, tag, MPI_COMM_WORLD);
    } else {
        expect(MPI_Recv(v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status[0]), MPI_ERR_TRUNCATE); /* RECV */
        if (status[0].MPI_SOURCE != 0 || status[0].MPI_TAG != 0)
            abort();
        MPI_Irecv(v, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request[0]);
        expect(MPI_Wait(&request[0], MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE); /* WAIT */
        MPI_Irecv(&v[0], 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&v[1], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request[1]);
        expect(MPI_Waitall(2, request, status), MPI_ERR_IN_STATUS); /* WAITALL */
        expect(status[0].MPI_ERROR, MPI_ERR_TRUNCATE);
        MPI_Mprobe(0, 4, MPI_COMM_WORLD, &message, &status[0]);
        MPI_Get_count(&status[0], MPI_INT, &n);
        if (n != 2)
            abort();
        expect(MPI_Mrecv(v, 1, MPI_INT, &message, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE); /* MRECV */
        MPI_Recv_init(v, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request[0]);
        MPI_Start(&request[0]);
        expect(MPI_Wait(&request[0], MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE); /* PERSISTENT */
        MPI_Request_free(&request[0]);
    }
    MPI_Finalize();
    return 0;
}
