/*
 * The master has 40 pieces of work of its own, does one after each poll in vain, counts its polls, and shares what is left with a worker who asks.
 * How much is left then depends on when the request comes.  With `none` it forgets to answer if nothing is, with `half` it stumbles over 8 pieces, with
 * `just` it does so if it has finished the last piece just now, and with `settles` it forgets to answer, too, and does not count.
 *
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: merged 9
 * assumed: -n 2 -- right: polls: after 1, 2, 4, 8 rounds and so on, and in the last that was looked at
 * check: -n 2 -- none: deadlock error ANSWERED
 * check: -n 2 -- none: portability note ASKS
 * runs: -n 2 -- none: merged 9
 * check: -n 2 -- half: abort error HALF
 * check: -n 2 -- half: portability note ASKS
 * runs: -n 2 -- half: merged 10
 * check: -n 2 -- just: abort error JUST
 * check: -n 2 -- just: portability note ASKS
 * runs: -n 2 -- just: merged 10
 * check: -n 2 -- settles: deadlock error ANSWERED
 * runs: -n 2 -- settles: merged 10
 */
#include <mpi.h>
#include <string.h>

enum { PIECES = 40, REQUEST = 1, WORK, NO_WORK };

static void answer(const char *how, int left, int idle)
{
    MPI_Recv(NULL, 0, MPI_INT, 1, REQUEST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(how, "half") == 0 && left == 8)
        MPI_Abort(MPI_COMM_WORLD, 3); /* HALF */
    if (strcmp(how, "just") == 0 && left == 0 && idle == 0)
        MPI_Abort(MPI_COMM_WORLD, 3); /* JUST */
    if (left > 0)
        MPI_Send(&left, 1, MPI_INT, 1, WORK, MPI_COMM_WORLD);
    else if (strcmp(how, "none") != 0 && strcmp(how, "settles") != 0)
        MPI_Send(&left, 1, MPI_INT, 1, NO_WORK, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, left = PIECES, idle = 0, flag = 0;
    const char *how = argv[argc - 1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (;;) {
            MPI_Iprobe(1, REQUEST, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* ASKS */
            if (flag)
                break;
            if (left > 0)
                left--;
            else if (strcmp(how, "settles") != 0)
                idle++;
        }
        answer(how, left, idle);
    } else {
        MPI_Send(NULL, 0, MPI_INT, 0, REQUEST, MPI_COMM_WORLD);
        MPI_Recv(&left, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* ANSWERED */
    }
    MPI_Finalize();
    return 0;
}
