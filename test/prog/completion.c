/*
 * Wait and Test, each as one, any, some and all, until everything is complete.
 *
 * Which request a "some" or "any" reports first is a matter of timing: only
 * sums and counts are printed.
 *
 * run: -n 3
 */
#include "check.h"

enum { N = 6 };

enum how { WAIT, TEST, WAITANY, TESTANY, WAITSOME, TESTSOME, WAITALL, TESTALL, HOWS };

static const char *const names[HOWS] = {"wait",     "test",     "waitany", "testany",
                                        "waitsome", "testsome", "waitall", "testall"};

/* Completes at least nothing, at most all; returns how many, sums their tags. */
static int complete(enum how how, MPI_Request *requests, int *tags)
{
    MPI_Status statuses[N];
    int flag = 0, index = MPI_UNDEFINED, done = 0, indices[N], next = 0;

    while (next < N - 1 && requests[next] == MPI_REQUEST_NULL)
        next++;
    switch (how) {
    case WAIT: MPI_Wait(&requests[next], statuses); done = 1; break;
    case TEST: MPI_Test(&requests[next], &done, statuses); break;
    case WAITANY: MPI_Waitany(N, requests, &index, statuses); done = 1; break;
    case TESTANY: MPI_Testany(N, requests, &index, &flag, statuses); done = flag; break;
    case WAITSOME: MPI_Waitsome(N, requests, &done, indices, statuses); break;
    case TESTSOME: MPI_Testsome(N, requests, &done, indices, statuses); break;
    case WAITALL: MPI_Waitall(N, requests, statuses); done = N; break;
    case TESTALL: MPI_Testall(N, requests, &flag, statuses); done = flag ? N : 0; break;
    default: break;
    }
    if (flag && how == TESTANY)
        CHECK(index >= 0 && requests[index] == MPI_REQUEST_NULL);
    for (int i = 0; i < done; i++)
        *tags += statuses[i].MPI_TAG;
    return done;
}

static void receive_all(enum how how)
{
    int v[N], left = N, tags = 0, sum = 0, outcount;
    MPI_Request requests[N];

    for (int i = 0; i < N; i++)
        MPI_Irecv(&v[i], 1, MPI_INT, 1 + i % 2, 10 * how + i, MPI_COMM_WORLD, &requests[i]);
    while (left > 0)
        left -= complete(how, requests, &tags);
    for (int i = 0; i < N; i++) {
        CHECK(requests[i] == MPI_REQUEST_NULL);
        sum += (i + 1) * v[i];
    }
    MPI_Waitsome(N, requests, &outcount, (int[N]){0}, MPI_STATUSES_IGNORE);
    CHECK(left == 0 && outcount == MPI_UNDEFINED);
    say("%s tags %d values %d", names[how], tags, sum);
}

static void send_half(enum how how)
{
    int v[N];
    MPI_Request requests[N];

    for (int i = 0; i < N; i++) {
        requests[i] = MPI_REQUEST_NULL;
        v[i] = 100 * how + 10 * rank + i;
        if (rank == 1 + i % 2)
            MPI_Isend(&v[i], 1, MPI_INT, 0, 10 * how + i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(N, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (enum how how = WAIT; how < HOWS; how++)
        if (rank == 0)
            receive_all(how);
        else
            send_half(how);
    return finish();
}
