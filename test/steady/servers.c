/*
 * A random program that is the same in each run, but for how long its ranks take: what receives from any source get must not depend on that
 * (test/steady.py).  Ranks below SERVERS answer requests, and to do so they ask servers below them now and then; the others ask.  Whose request a server takes is written down.
 *
 * servers PROGRAM PACE: two numbers, of which PACE decides how long ranks take.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SERVERS = 3, REQUEST = 1, REPLY, QUIET, END };

static int rank, size;
static uint64_t program, pace; /* random numbers: what is done, and how long it takes */
static uint64_t taken = 1;     /* a sum over the sources of all requests, in their order */

static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

static void take_time(void)
{
    uint32_t kind = draw(&pace, 8);
    if (kind == 0)
        usleep(draw(&pace, 300));
    for (volatile uint32_t i = kind < 4 ? draw(&pace, 20000) : 0; i > 0; i--)
        continue;
}

/* Asks a server, and waits for the reply unless it is a quiet request. */
static void ask(int server)
{
    int value = rank, quiet = draw(&program, 4) == 0;
    take_time();
    MPI_Send(&value, 1, MPI_INT, server, quiet ? QUIET : REQUEST, MPI_COMM_WORLD);
    if (!quiet)
        MPI_Recv(&value, 1, MPI_INT, server, REPLY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static MPI_Status probe_and_receive(int polls)
{
    MPI_Status seen, status;
    int value, there = !polls;
    if (!polls)
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &seen);
    while (!there)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &seen);
    MPI_Recv(&value, 1, MPI_INT, seen.MPI_SOURCE, seen.MPI_TAG, MPI_COMM_WORLD, &status);
    return status;
}

static MPI_Status receive_later(int looks)
{
    MPI_Status status;
    MPI_Request request;
    int value, done = 0;
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    while (looks && !done)
        MPI_Test(&request, &done, &status);
    if (!done)
        MPI_Wait(&request, &status);
    return status;
}

static MPI_Status receive_request(void)
{
    MPI_Status status;
    int value;
    take_time();
    switch (draw(&program, 12)) {
    case 0:
        return probe_and_receive(0);
    case 1:
        return probe_and_receive(1);
    case 2:
        return receive_later(1);
    case 3:
    case 4:
        return receive_later(0);
    default:
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        return status;
    }
}

/* Until all who may ask it have ended. */
static void serve(void)
{
    for (int left = size - rank - 1; left > 0;) {
        MPI_Status status = receive_request();
        taken = taken * 31 + (uint64_t)(status.MPI_SOURCE * 4 + status.MPI_TAG);
        if (rank > 0 && draw(&program, 3) == 0)
            ask((int)draw(&program, (uint32_t)rank));
        take_time();
        if (status.MPI_TAG == REQUEST)
            MPI_Send(&rank, 1, MPI_INT, status.MPI_SOURCE, REPLY, MPI_COMM_WORLD);
        left -= status.MPI_TAG == END;
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    program = strtoull(argv[1], NULL, 10) * 1000 + (uint64_t)rank;
    pace = strtoull(argv[2], NULL, 10) * 1000 + (uint64_t)rank;
    int asks = 5 + (int)draw(&program, 40);
    if (rank < SERVERS)
        serve();
    for (int i = 0; rank >= SERVERS && i < asks; i++)
        ask((int)draw(&program, SERVERS));
    for (int server = 0; server < SERVERS && server < rank; server++)
        MPI_Send(&rank, 1, MPI_INT, server, END, MPI_COMM_WORLD);
    printf("rank %d: %llu\n", rank, (unsigned long long)taken);
    MPI_Finalize();
    return 0;
}
