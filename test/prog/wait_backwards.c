/*
 * Receives of the same messages are waited for from the last to the first: a message that comes while a rank looks for those of the last
 * is still that of the first.
 *
 * run: -n 2
 * run: -n 3
 */
#include "check.h"

enum { ROUNDS = 500, MESSAGES = 6 };

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Request receive[MESSAGES], send[MESSAGES];
        int in[MESSAGES], out[MESSAGES];
        for (int i = 0; i < MESSAGES; i++)
            MPI_Irecv(&in[i], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &receive[i]);
        for (int i = 0; i < MESSAGES; i++) {
            out[i] = MESSAGES * round + i;
            MPI_Isend(&out[i], 1, MPI_INT, right, 0, MPI_COMM_WORLD, &send[i]);
        }
        for (int i = MESSAGES; i-- > 0;)
            MPI_Wait(&receive[i], MPI_STATUS_IGNORE);
        for (int i = 0; i < MESSAGES; i++)
            CHECK(in[i] == MESSAGES * round + i);
        MPI_Waitall(MESSAGES, send, MPI_STATUSES_IGNORE);
    }
    say("done");
    return finish();
}
