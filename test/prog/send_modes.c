/*
 * The four send modes, blocking and not; buffered sends received in reverse.
 *
 * run: -n 2
 */
#include "check.h"

enum { MODES = 8, N = 3 };

static const char *const names[MODES] = {"send",  "bsend",  "ssend",  "rsend",
                                         "isend", "ibsend", "issend", "irsend"};

static void send_as(int mode, const int *v)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Request request = MPI_REQUEST_NULL;

    switch (mode) {
    case 0: MPI_Send(v, N, MPI_INT, 1, mode, comm); break;
    case 1: MPI_Bsend(v, N, MPI_INT, 1, mode, comm); break;
    case 2: MPI_Ssend(v, N, MPI_INT, 1, mode, comm); break;
    case 3: MPI_Rsend(v, N, MPI_INT, 1, mode, comm); break;
    case 4: MPI_Isend(v, N, MPI_INT, 1, mode, comm, &request); break;
    case 5: MPI_Ibsend(v, N, MPI_INT, 1, mode, comm, &request); break;
    case 6: MPI_Issend(v, N, MPI_INT, 1, mode, comm, &request); break;
    case 7: MPI_Irsend(v, N, MPI_INT, 1, mode, comm, &request); break;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void every_mode(void)
{
    int v[MODES][N];
    MPI_Request requests[MODES];

    if (rank == 0) {
        MPI_Recv(NULL, 0, MPI_INT, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int mode = 0; mode < MODES; mode++) {
            for (int i = 0; i < N; i++)
                v[mode][i] = 100 * mode + i * i;
            send_as(mode, v[mode]);
        }
    } else {
        for (int mode = 0; mode < MODES; mode++)
            MPI_Irecv(v[mode], N, MPI_INT, 0, mode, MPI_COMM_WORLD, &requests[mode]);
        /* The receives are posted: from here on ready sends are correct. */
        MPI_Send(NULL, 0, MPI_INT, 0, 99, MPI_COMM_WORLD);
        MPI_Waitall(MODES, requests, MPI_STATUSES_IGNORE);
        for (int mode = 0; mode < MODES; mode++) {
            say_ints(names[mode], v[mode], N);
            CHECK(v[mode][N - 1] == 100 * mode + 4);
        }
    }
}

static void buffered_in_reverse(void)
{
    int v[4];

    for (int i = 0; i < 4; i++) {
        int tag = rank == 0 ? i : 3 - i;
        if (rank == 0) {
            int value = 7 * i;
            MPI_Bsend(&value, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
            value = -1; /* the message was copied */
        } else {
            MPI_Recv(&v[i], 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(v[i] == 7 * tag);
        }
    }
    if (rank == 1)
        say_ints("reverse", v, 4);
}

int main(int argc, char **argv)
{
    static char room[4096 + 16 * MPI_BSEND_OVERHEAD];
    void *back;
    int bytes;

    begin(&argc, &argv);
    MPI_Buffer_attach(room, sizeof room);
    every_mode();
    buffered_in_reverse();
    MPI_Buffer_detach(&back, &bytes);
    return finish();
}
