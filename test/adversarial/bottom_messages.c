/*
 * Messages whose buffers are MPI_BOTTOM and a datatype of absolute addresses: on the stack, in the heap and in static
 * memory.  What a kind of send or receive leaves behind is compared, so a message that carries nothing is a crash.
 *
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * check: -n 2 --buffering=zero: none
 * runs: -n 2 --buffering=zero: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct scattered {
    int a, b[3];
    double *heap;
};
static char fixed[4];

static MPI_Datatype absolute(struct scattered *s)
{
    int length[] = {1, 2, 3, 4};
    MPI_Datatype type[] = {MPI_INT, MPI_INT, MPI_DOUBLE, MPI_CHAR}, made;
    MPI_Aint at[4];
    MPI_Get_address(&s->a, &at[0]);
    MPI_Get_address(&s->b[1], &at[1]);
    MPI_Get_address(s->heap, &at[2]);
    MPI_Get_address(fixed, &at[3]);
    MPI_Type_create_struct(4, length, at, type, &made);
    MPI_Type_commit(&made);
    return made;
}

static void fill(struct scattered *s, int turn)
{
    s->a = turn;
    s->b[0] = -1;
    s->b[1] = turn + 1;
    s->b[2] = turn + 2;
    for (int i = 0; i < 3; i++)
        s->heap[i] = turn / 2.0 + i;
    memset(fixed, 'a' + turn, sizeof fixed);
}

static void check(const struct scattered *s, int turn)
{
    if (s->a != turn || s->b[0] != -1 || s->b[1] != turn + 1 || s->b[2] != turn + 2)
        abort();
    for (int i = 0; i < 3; i++)
        if (s->heap[i] != turn / 2.0 + i || fixed[i] != 'a' + turn)
            abort();
}

static void sender(struct scattered *s, MPI_Datatype type)
{
    static char room[1000 + MPI_BSEND_OVERHEAD];
    void *was;
    int size, turn = 0;
    MPI_Request request;
    fill(s, turn++);
    MPI_Send(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD);
    fill(s, turn++);
    MPI_Ssend(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD);
    fill(s, turn++);
    MPI_Isend(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    fill(s, turn++);
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD);
    MPI_Buffer_detach(&was, &size);
    MPI_Send_init(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 2; i++) {
        fill(s, turn++);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

static void receiver(struct scattered *s, MPI_Datatype type)
{
    int turn = 0, there = 0;
    MPI_Request request;
    MPI_Message message;
    MPI_Recv(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(s, turn++);
    MPI_Irecv(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(s, turn++);
    MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(MPI_BOTTOM, 1, type, &message, MPI_STATUS_IGNORE);
    check(s, turn++);
    MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(MPI_BOTTOM, 1, type, &message, &request);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    check(s, turn++);
    MPI_Recv_init(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check(s, turn++);
    }
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    int rank;
    struct scattered mine;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine.heap = malloc(3 * sizeof *mine.heap);
    MPI_Datatype type = absolute(&mine);
    fill(&mine, 20);
    (rank ? receiver : sender)(&mine, type);
    fill(&mine, rank);
    MPI_Sendrecv_replace(MPI_BOTTOM, 1, type, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(&mine, 1 - rank);
    MPI_Type_free(&type);
    free(mine.heap);
    MPI_Finalize();
    return 0;
}
