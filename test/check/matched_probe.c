/*
 * What a matched probe has taken is received as something else; and a message that it took
 * and nobody receives, whose sender may wait for that.
 *
 * check: -n 2 -- type: type-mismatch error TYPE
 * check: -n 2 -- itype: type-mismatch error ITYPE
 * check: -n 2 --buffering=infinite -- lost: lost-message warning LOST
 * check: -n 2 -- lost: lost-message warning LOST
 * check: -n 2 -- lost: buffering-deadlock error STUCK
 * check: -n 2: none
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, count;
    _Alignas(8) char v[32] = {0};
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Message message;
    MPI_Status status;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(v, 2, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Send(v, 2, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
        MPI_Send(v, 2, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD); /* STUCK */
    } else {
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, &status);
        if (strcmp(what, "type") == 0)
            MPI_Mrecv(v, 4, MPI_FLOAT, &message, &status); /* TYPE */
        else
            MPI_Mrecv(v, 4, MPI_DOUBLE, &message, &status);
        MPI_Mprobe(0, 1, MPI_COMM_WORLD, &message, &status);
        if (strcmp(what, "itype") == 0)
            MPI_Imrecv(v, 4, MPI_INT, &message, &request); /* ITYPE */
        else
            MPI_Imrecv(v, 16, MPI_BYTE, &message, &request);
        MPI_Wait(&request, &status);
        MPI_Mprobe(0, 2, MPI_COMM_WORLD, &message, &status); /* LOST */
        if (strcmp(what, "lost"))
            MPI_Mrecv(v, 2, MPI_DOUBLE, &message, &status);
        MPI_Mprobe(MPI_PROC_NULL, 2, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(v, 2, MPI_DOUBLE, &message, &status);
    }
    MPI_Finalize();
    return 0;
}
