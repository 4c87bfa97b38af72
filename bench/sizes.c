/*
 * What a message costs, by size: `latency BYTES MICROSECONDS` of one way, to and fro, and
 * `stream BYTES MEGABYTES` per second, 16 messages at a time; the best of several blocks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 4 << 20, WINDOW = 16, BLOCKS = 7 };

static int rank;
static char *buffer;

static void to_and_fro(int bytes)
{
    if (rank == 0)
        MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
}

static void stream(int bytes)
{
    MPI_Request request[WINDOW];
    MPI_Status status[WINDOW];
    for (int i = 0; i < WINDOW; i++)
        if (rank == 0)
            MPI_Isend(buffer, bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request[i]);
        else
            MPI_Irecv(buffer, bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request[i]);
    MPI_Waitall(WINDOW, request, status);
    if (rank == 0)
        MPI_Recv(NULL, 0, MPI_BYTE, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(NULL, 0, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
}

/* Seconds of one call, in the best block. */
static double best(void (*work)(int), int bytes, int calls)
{
    double least = 1e9;
    for (int block = 0; block < BLOCKS; block++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        for (int i = 0; i < calls; i++)
            work(bytes);
        double one = (MPI_Wtime() - begin) / calls;
        least = one < least ? one : least;
    }
    return least;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    buffer = malloc(LARGEST);
    memset(buffer, 1, LARGEST);
    for (int bytes = 8; bytes <= LARGEST; bytes = bytes == 8 ? 512 : 8 * bytes) {
        int calls = bytes > 100000 ? 30 : 500;
        double one = best(to_and_fro, bytes, calls) / 2, many = best(stream, bytes, calls / 8);
        if (rank == 0)
            printf("latency %d %.3f\nstream %d %.1f\n", bytes, 1e6 * one, bytes, WINDOW * (double)bytes / many / 1e6);
    }
    free(buffer);
    MPI_Finalize();
    return 0;
}
