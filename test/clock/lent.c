/*
 * Messages of sizes at which the shim goes over from copying to leaving bytes where they are, in every
 * way that a message can be sent and received: rank 0 sends, rank 1 receives what was sent and no byte
 * more.  What does not come as it should is told, and there is no other output.
 */
#include "figure.h"

#include <string.h>

enum { ROOM = (1 << 20) + 64, TAG = 3, UNTOUCHED = 0x5a };

static const int sizes[] = {0, 4031, 4032, 4033, 8127, 8128, 8129, 100003, 1 << 20};
static char out[ROOM], in[ROOM], more[3][ROOM];
static int failed;

static char byte(int seed, int i)
{
    return (char)(seed * 31 + i + (i >> 8));
}

static char *fill(char *buffer, int bytes, int seed)
{
    for (int i = 0; i < bytes; i++)
        buffer[i] = byte(seed, i);
    return buffer;
}

static char *clear(char *buffer)
{
    return memset(buffer, UNTOUCHED, ROOM);
}

static void check(const char *what, const char *buffer, int bytes, int seed)
{
    int good = 0;
    while (good < ROOM && buffer[good] == (good < bytes ? byte(seed, good) : UNTOUCHED))
        good++;
    if (good < ROOM)
        printf("%s of %d bytes: wrong at %d\n", what, bytes, good), failed = 1;
}

static void check_status(const char *what, MPI_Status *status, int bytes, int tag)
{
    int count;
    MPI_Get_count(status, MPI_BYTE, &count);
    if (count != bytes || status->MPI_TAG != tag || status->MPI_SOURCE != 0)
        printf("%s of %d bytes: %d bytes of %d, tag %d\n", what, bytes, count, status->MPI_SOURCE, status->MPI_TAG), failed = 1;
}

/* Room is for as much as was sent, or for more; the source is named, or not. */
static void blocking(int n, int room, int from, int tag)
{
    MPI_Status status;
    if (rank == 0) {
        MPI_Send(fill(out, n, 1), n, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
        fill(out, n, 9);
    } else {
        MPI_Recv(clear(in), room, MPI_BYTE, from, tag, MPI_COMM_WORLD, &status);
        check("Recv", in, n, 1);
        check_status("Recv", &status, n, TAG);
    }
}

static void modes(int n)
{
    MPI_Request request;
    int bytes = n + MPI_BSEND_OVERHEAD;
    void *attached = malloc((size_t)bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Ssend(fill(out, n, 2), n, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
        MPI_Issend(fill(out, n, 3), n, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Buffer_attach(attached, bytes);
        MPI_Bsend(fill(out, n, 4), n, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
        fill(out, n, 9); /* what was buffered stays as it was */
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Buffer_detach(&attached, &bytes);
        MPI_Rsend(fill(out, n, 5), n, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
    } else {
        for (int seed = 2; seed < 4; seed++) {
            MPI_Recv(clear(in), n, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            check("Ssend", in, n, seed);
        }
        MPI_Irecv(clear(in), n, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check("Bsend", in, n, 4);
        MPI_Irecv(clear(in), n, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check("Rsend", in, n, 5);
    }
    free(attached);
}

/* Several at a time, waited for in any order; with a barrier between, which must not wait for them. */
static void pending(int n, int first)
{
    MPI_Request request[3];
    MPI_Status status[3];
    int done;
    for (int i = 0; i < 3; i++)
        if (rank == 0)
            MPI_Isend(fill(more[i], n, 10 + i), n, MPI_BYTE, 1, TAG + i, MPI_COMM_WORLD, &request[i]);
        else
            MPI_Irecv(clear(more[i]), n, MPI_BYTE, i == 1 ? 0 : MPI_ANY_SOURCE, i == 2 ? MPI_ANY_TAG : TAG + i,
                      MPI_COMM_WORLD, &request[i]);
    if (rank == 0 && first == 2)
        MPI_Waitall(3, request, status);
    MPI_Barrier(MPI_COMM_WORLD);
    if (first == 3) {
        MPI_Waitsome(3, request, &done, (int[3]){0}, (MPI_Status[3]){{0}});
        MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    } else if (first == 4) {
        for (done = 0; !done;)
            MPI_Testall(3, request, &done, status);
    } else if (rank == 1 || first != 2) {
        for (int i = 0; i < 3; i++)
            MPI_Wait(&request[(first + 2 * i) % 3], &status[(first + 2 * i) % 3]);
    }
    for (int i = 0; rank == 1 && i < 3; i++) {
        check("Irecv", more[i], n, 10 + i);
        if (first != 3)
            check_status("Irecv", &status[i], n, TAG + i);
    }
}

static void persistent(int n)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Send_init(out, n, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request);
    else
        MPI_Recv_init(in, n, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &request);
    for (int seed = 20; seed < 23; seed++) {
        if (rank == 0)
            fill(out, n, seed);
        else
            clear(in);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 1)
            check("Recv_init", in, n, seed);
    }
    MPI_Request_free(&request);
}

static void probes(int n)
{
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;
    if (rank == 0) {
        for (int i = 0; i < 3; i++)
            MPI_Send(fill(out, n, 30 + i), n, MPI_BYTE, 1, TAG + i, MPI_COMM_WORLD);
        return;
    }
    MPI_Probe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
    check_status("Probe", &status, n, TAG);
    MPI_Recv(clear(in), n, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check("Recv after Probe", in, n, 30);
    MPI_Mprobe(0, TAG + 1, MPI_COMM_WORLD, &message, &status);
    check_status("Mprobe", &status, n, TAG + 1);
    MPI_Mrecv(clear(in), n, MPI_BYTE, &message, &status);
    check("Mrecv", in, n, 31);
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
    MPI_Imrecv(clear(in), n, MPI_BYTE, &message, &request);
    MPI_Wait(&request, &status);
    check("Imrecv", in, n, 32);
    check_status("Imrecv", &status, n, TAG + 2);
}

/* Both ways at once; with one buffer for both, what is sent is what was there before. */
static void exchange(int n)
{
    int other = 1 - rank;
    fill(out, n, 40 + rank);
    MPI_Sendrecv(out, n, MPI_BYTE, other, TAG, clear(in), n, MPI_BYTE, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check("Sendrecv", in, n, 40 + other);
    fill(clear(in), n, 42 + rank);
    MPI_Sendrecv_replace(in, n, MPI_BYTE, other, TAG, other, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check("Sendrecv_replace", in, n, 42 + other);
#if MPI_VERSION >= 4
    MPI_Request request;
    fill(clear(in), n, 44 + rank);
    MPI_Isendrecv_replace(in, n, MPI_BYTE, other, TAG, other, TAG, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check("Isendrecv_replace", in, n, 44 + other);
#endif
}

static void to_itself(int n)
{
    MPI_Request request[2];
    MPI_Irecv(clear(in), n, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_SELF, &request[0]);
    MPI_Isend(fill(out, n, 50), n, MPI_BYTE, 0, TAG, MPI_COMM_SELF, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    check("to itself", in, n, 50);
}

/* Every second byte here, one after the other there, and the other way round. */
static void with_gaps(int n)
{
    MPI_Datatype every_second;
    int half = n / 2;
    MPI_Type_vector(half, 1, 2, MPI_BYTE, &every_second);
    MPI_Type_commit(&every_second);
    if (rank == 0) {
        fill(out, n, 60);
        MPI_Send(out, 1, every_second, 1, TAG, MPI_COMM_WORLD);
        MPI_Send(out, half, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
    } else {
        MPI_Recv(clear(in), half, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(clear(out), 1, every_second, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < half; i++)
            if (in[i] != byte(60, 2 * i) || out[2 * i] != byte(60, i) || out[2 * i + 1] != UNTOUCHED) {
                printf("with gaps: %d bytes: wrong at %d\n", half, i), failed = 1;
                break;
            }
    }
    MPI_Type_free(&every_second);
}

/* Requests that nobody waits for; a receive that is given up leaves its buffer alone. */
static void given_up(int n)
{
    MPI_Request request;
    MPI_Status status;
    int cancelled;
    if (rank == 0) {
        MPI_Isend(fill(out, n, 70), n, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(NULL, 0, MPI_BYTE, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(clear(in), n, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check("freed", in, n, 70);
        MPI_Irecv(clear(in), n, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
        if (!cancelled)
            printf("a receive that cannot be cancelled\n"), failed = 1;
        check("cancelled", in, 0, 0);
        MPI_Send(NULL, 0, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
    }
}

/* The next message comes all the same. */
static void too_long(int n, int room)
{
    int class = MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        MPI_Send(fill(out, n, 80), n, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
        MPI_Send(fill(out, n, 81), n, MPI_BYTE, 1, TAG, MPI_COMM_WORLD);
    } else {
        MPI_Error_class(MPI_Recv(clear(in), room, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE), &class);
        if (class != MPI_ERR_TRUNCATE)
            printf("%d bytes for %d: class %d\n", n, room, class), failed = 1;
        for (int i = room; i < ROOM; i++)
            if (in[i] != UNTOUCHED) {
                printf("%d bytes for %d: written at %d\n", n, room, i), failed = 1;
                break;
            }
        MPI_Recv(clear(in), n, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check("after one that was too long", in, n, 81);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(void)
{
    begin();
    for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++) {
        int n = sizes[i];
        blocking(n, n, 0, TAG);
        blocking(n, ROOM - 32, 0, MPI_ANY_TAG);
        blocking(n, n, MPI_ANY_SOURCE, MPI_ANY_TAG);
        modes(n);
        for (int first = 0; first < 5; first++)
            pending(n, first);
        persistent(n);
        probes(n);
        exchange(n);
        to_itself(n);
        with_gaps(n);
        given_up(n);
    }
    too_long(100003, 50001);
    too_long(100003, 100);
    too_long(4500, 4400);
    MPI_Finalize();
    return failed;
}
