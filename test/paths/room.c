/*
 * Results are added up, which rounds, or here divides, in the order in which they come; then a message goes out for which the rank first asks
 * tourney for room, in the middle of what it does between two calls.  What it does behind that question is followed, too.
 *
 * The argument is the number of bytes of that message.  With a second one, "looks", the sum counts, behind the question.
 *
 * paths: -n 3 -- 20000: runs 1 stood 2
 * paths: -n 3 -- 20000 looks: runs 2 stood 2 finds deadlock
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { RESULT = 1, QUESTION = 2, LARGE = 3, NEVER = 4 };

static void collect(int workers, const char *large, int bytes, int looks)
{
    double sum = 0, part;
    int never;
    for (int i = 0; i < workers; i++) {
        MPI_Recv(&part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum = sum / 3 + part;
    }
    MPI_Recv(&never, 1, MPI_INT, 1, QUESTION, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(large, bytes, MPI_CHAR, 1, LARGE, MPI_COMM_WORLD);
    if (looks && sum < 2)
        MPI_Recv(&never, 1, MPI_INT, 1, NEVER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%f\n", sum);
}

static void work(int rank, char *large, int bytes)
{
    double part = rank;
    MPI_Send(&part, 1, MPI_DOUBLE, 0, RESULT, MPI_COMM_WORLD);
    if (rank != 1)
        return;
    MPI_Send(&rank, 1, MPI_INT, 0, QUESTION, MPI_COMM_WORLD);
    MPI_Recv(large, bytes, MPI_CHAR, 0, LARGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, bytes;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bytes = atoi(argv[1]);
    char *large = calloc(1, (size_t)bytes);
    if (rank == 0)
        collect(size - 1, large, bytes, argc > 2);
    else
        work(rank, large, bytes);
    free(large);
    MPI_Finalize();
    return 0;
}
