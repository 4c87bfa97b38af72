/*
 * Buffer_attach and detach: the same buffer comes back, detach waits for the
 * messages, a buffer too small is an error, space is used again.
 *
 * run: -n 2
 */
#include "check.h"

enum { N = 100, ROUNDS = 5 };

static char *attach(int bytes)
{
    char *room = malloc(bytes);

    MPI_Buffer_attach(room, bytes);
    return room;
}

static void detach(const char *room, int bytes)
{
    void *back = NULL;
    int size_back = -1;

    MPI_Buffer_detach(&back, &size_back);
    CHECK(back == room && size_back == bytes);
    free(back);
}

/* Room for one message: sent, received, sent again. */
static void reuse(void)
{
    int bytes = N * sizeof(int) + MPI_BSEND_OVERHEAD, v[N], sum = 0;
    char *room = attach(bytes);

    for (int round = 0; round < ROUNDS; round++) {
        if (rank == 0) {
            for (int i = 0; i < N; i++)
                v[i] = round + i;
            MPI_Bsend(v, N, MPI_INT, 1, 0, MPI_COMM_WORLD);
            memset(v, 0, sizeof v);
            MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(v, N, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 0; i < N; i++)
                sum += v[i];
            MPI_Ssend(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
    }
    detach(room, bytes);
    say("reused, sum %d", sum);
}

/* Detached while the messages are under way: none may get lost. */
static void detach_waits(void)
{
    int bytes = 3 * (N * sizeof(int) + MPI_BSEND_OVERHEAD), v[3] = {0};
    char *room;

    if (rank == 0) {
        room = attach(bytes);
        for (int i = 0; i < 3; i++) {
            v[0] = 11 * (i + 1);
            MPI_Bsend(v, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
        }
        detach(room, bytes);
    } else {
        for (int i = 2; i >= 0; i--)
            MPI_Recv(&v[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        say_ints("after detach", v, 3);
        CHECK(v[2] == 33);
    }
}

static void too_small(void)
{
    int bytes = 64 + MPI_BSEND_OVERHEAD, code;
    char *room = attach(bytes);
    char big[4096] = {0};

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Bsend(big, sizeof big, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
    say("too small: class is buffer %d", class_of(code) == MPI_ERR_BUFFER);
    CHECK(class_of(code) == MPI_ERR_BUFFER);
    detach(room, bytes);
}

int main(int argc, char **argv)
{
    int bytes;

    begin(&argc, &argv);
    reuse();
    detach_waits();
    too_small();
    MPI_Bsend_init(&bytes, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &(MPI_Request){0});
    MPI_Pack_size(N, MPI_INT, MPI_COMM_WORLD, &bytes);
    CHECK(bytes >= N * (int)sizeof(int));
    return finish();
}
