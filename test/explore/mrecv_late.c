/*
 * A matched probe takes a message; only its receive lets the sender go on, unless MPI
 * has buffered the message (the MPI standard, 3.4: a synchronous send completes when a matching
 * receive has started).  Rank 0 has taken rank 1's first message and waits for the
 * second, which rank 1 sends when the first is complete; a third one has its receive.
 *   standard   the same with standard sends: it depends on buffering;
 *   kept       rank 0 never receives what it took, and is done;
 *   at_once    it receives before it waits, as it should;
 *   started    it starts to receive before it waits: that is enough;
 *   cancelled  rank 1 cancels the first message: in time, and rank 0 waits in its probe
 *              for ever; or too late, and rank 1 waits for its receive.
 *
 * explore: -n 2 infinite -- late: runs 1 deadlock 1
 * explore: -n 2 any -- late: runs 1 deadlock 1
 * explore: -n 2 zero -- standard: runs 1 deadlock 1
 * explore: -n 2 any -- standard: runs 1 clean 1 cuts 1
 * explore: -n 2 infinite -- kept: runs 1 deadlock 1
 * explore: -n 2 zero -- at_once: runs 1 clean 1
 * explore: -n 2 any -- at_once: runs 1 clean 1
 * explore: -n 2 any -- started: runs 1 clean 1
 * explore: -n 2 infinite -- cancelled: runs 2 deadlock 2
 */
#include <mpi.h>
#include <string.h>

enum { FIRST = 1, SECOND, THIRD };

static const char *mode;

static int is(const char *word)
{
    return !strcmp(mode, word);
}

static void receive_second(void)
{
    int value;
    MPI_Recv(&value, 1, MPI_INT, 1, SECOND, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void take(void)
{
    int value, other;
    MPI_Message message;
    MPI_Request request, third;
    MPI_Mprobe(1, FIRST, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    if (is("kept"))
        return;
    MPI_Irecv(&other, 1, MPI_INT, 1, THIRD, MPI_COMM_WORLD, &third);
    if (is("started"))
        MPI_Imrecv(&value, 1, MPI_INT, &message, &request);
    else if (is("at_once"))
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    receive_second();
    if (is("started"))
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    else if (!is("at_once"))
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&third, MPI_STATUS_IGNORE);
}

static void send(void)
{
    int value = 0;
    MPI_Request request;
    if (is("cancelled")) {
        MPI_Issend(&value, 1, MPI_INT, 0, FIRST, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (is("standard")) {
        MPI_Send(&value, 1, MPI_INT, 0, FIRST, MPI_COMM_WORLD);
    } else {
        MPI_Ssend(&value, 1, MPI_INT, 0, FIRST, MPI_COMM_WORLD);
    }
    MPI_Send(&value, 1, MPI_INT, 0, SECOND, MPI_COMM_WORLD);
    MPI_Send(&value, 1, MPI_INT, 0, THIRD, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mode = argc > 1 ? argv[1] : "late";
    if (rank == 0)
        take();
    else
        send();
    MPI_Finalize();
    return 0;
}
