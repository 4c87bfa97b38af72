/*
 * Rank 1 has received from any source, and then tells rank 2, which probes for that.  What rank 2 does next, and what
 * others do who have heard of it, comes after the receive.
 */
#include <string.h>

#include "figure.h"

enum { TOLD = 9, OTHER = 7 };

static void tell(int to, int tag)
{
    MPI_Send(&rank, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
}

static void hear(int from, int tag)
{
    MPI_Recv(&number, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int is(const char *how, const char *what)
{
    return strcmp(how, what) == 0;
}

/* Rank 2 has seen the message; then it, or rank 3, who hears of that, sends to rank 1. */
static void act(const char *how, MPI_Comm comm)
{
    MPI_Message message = MPI_MESSAGE_NULL;
    int sender = is(how, "joins") || is(how, "lets_go") ? 3 : 2;

    if (rank == 2 && is(how, "takes"))
        MPI_Mprobe(1, TOLD, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    else if (rank == 2)
        MPI_Probe(1, TOLD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2 && is(how, "received"))
        hear(1, TOLD);
    if (is(how, "joins"))
        MPI_Barrier(comm);
    if (is(how, "lets_go") && rank == 2)
        hear(3, OTHER);
    if (is(how, "lets_go") && rank == 3)
        MPI_Ssend(&rank, 1, MPI_INT, 2, OTHER, MPI_COMM_WORLD);
    if (rank == sender)
        send_to(1);
    if (rank == 2 && is(how, "takes"))
        MPI_Mrecv(&number, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    else if (rank == 2 && !is(how, "received"))
        hear(1, TOLD);
}

/* The receive is a matched probe, and the sender, who knows of the match, tells rank 2. */
static void take_any(void)
{
    MPI_Message message;

    if (rank == 0) {
        MPI_Ssend(&rank, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        tell(2, TOLD);
    } else if (rank == 1) {
        MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&number, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        recv_from(2);
    } else if (rank == 2) {
        hear(0, TOLD);
        send_to(1);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Comm comm;

    begin();
    MPI_Comm_split(MPI_COMM_WORLD, rank >= 2, rank, &comm);
    if (is(how, "takes_any")) {
        take_any();
    } else if (rank == 0) {
        send_to(1);
    } else if (rank == 1) {
        recv_from(MPI_ANY_SOURCE);
        tell(2, TOLD);
        recv_from(is(how, "joins") || is(how, "lets_go") ? 3 : 2);
    } else {
        act(how, comm);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
