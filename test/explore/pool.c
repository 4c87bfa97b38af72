/*
 * A pool of send buffers, as BLACS and others have it: a list from which each is taken and freed when MPI_Test says that
 * it was sent.  The receiver takes them in order and notices nothing.  K buffers are freed in K! orders, but what is left
 * after some of them is one of 2^K sets.
 *
 * explore: -n 2 any -- 2: runs 2 clean 2
 * explore: -n 2 any -- 3: runs 6 clean 6
 * merged: -n 2 any -- 3: runs 1 clean 1 segments 29
 * merged: -n 2 any -- 4: runs 1 clean 1 segments 70
 * merged: -n 2 any -- 7: runs 1 clean 1 segments 905
 */
#include <mpi.h>
#include <stdlib.h>

struct message {
    struct message *next;
    MPI_Request request;
    int data[20];
};

static struct message *pool;

static void send_number(int number)
{
    struct message *message = calloc(1, sizeof *message);

    message->data[0] = number;
    message->next = pool;
    pool = message;
    MPI_Isend(message->data, 20, MPI_INT, 1, 0, MPI_COMM_WORLD, &message->request);
}

static void reclaim(void)
{
    for (struct message **link = &pool; *link;) {
        struct message *message = *link;
        int sent;

        MPI_Test(&message->request, &sent, MPI_STATUS_IGNORE);
        if (sent) {
            *link = message->next;
            free(message);
        } else {
            link = &message->next;
        }
    }
}

int main(int argc, char **argv)
{
    int rank, count, data[20];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    count = atoi(argv[1]);
    if (rank == 0) {
        for (int i = 0; i < count; i++)
            send_number(i);
        while (pool)
            reclaim();
    } else {
        for (int i = 0; i < count; i++)
            MPI_Recv(data, 20, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
