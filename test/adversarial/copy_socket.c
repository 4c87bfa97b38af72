/*
 * The same with a pair of sockets.
 *
 * check: -n 3: none
 * runs: -n 3: 2, merged 1
 * check: -n 3 -- wrong: exit-code error -
 * runs: -n 3 -- wrong: 2, merged 2
 */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <mpi.h>

#include "take_one.h"

int main(int argc, char **argv)
{
    int rank, wrong = argc > 1, bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        int end[2];
        char text[3] = "";
        bad |= socketpair(AF_UNIX, SOCK_STREAM, 0, end) != 0 || write(end[1], "ab", 2) != 2;
        int first = take_one();
        bad |= read(end[0], text, 1) != 1;
        take_one();
        bad |= read(end[0], text + 1, 1) != 1 || strcmp(text, "ab") != 0;
        bad |= wrong && first == 2;
    }
    MPI_Finalize();
    return bad;
}
