/*
 * What was put into a window before its owner and others went on together is there when the owner looks: in a run without comparing accesses, too, in which
 * ranks go on in collectives by themselves and tourney reads of it later.
 *
 * run: -n 2
 * run: -n 3
 * options: -W rma-race=off
 * compare: none
 */
#include <mpi.h>
#include <stdio.h>

enum way { BARRIER, BARRIER_LATER, SUM, MESSAGE, WAYS };
enum { WINDOWS = 12, ROUNDS = 20, PUTS = 20 };

static int rank, size, wrong;

static void go_on_together(enum way way)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size, one = 1, all = 0;
    MPI_Request request;

    if (way == BARRIER)
        MPI_Barrier(MPI_COMM_WORLD);
    if (way == SUM)
        MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (way == BARRIER_LATER) {
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (way == MESSAGE) {
        MPI_Irecv(&all, 1, MPI_INT, left, 0, MPI_COMM_WORLD, &request);
        MPI_Send(&one, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void put_often(MPI_Win win, int *number)
{
    int right = (rank + 1) % size;

    for (int i = 0; i < PUTS; i++) {
        ++*number;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
        MPI_Put(number, 1, MPI_INT, right, 0, 1, MPI_INT, win);
        MPI_Win_unlock(right, win);
    }
}

static void look(MPI_Win win, const int *memory, int number)
{
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    if (*memory != number && wrong++ == 0)
        printf("rank %d has %d, not %d\n", rank, *memory, number);
    MPI_Win_unlock(rank, win);
}

static void try_window(enum way way)
{
    int *memory, number = 0;
    MPI_Win win;

    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < ROUNDS; i++) {
        put_often(win, &number);
        go_on_together(way);
        look(win, memory, number);
        MPI_Barrier(MPI_COMM_WORLD); /* whoever puts next waits until that was looked at */
    }
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int way = 0; way < WAYS; way++)
        for (int i = 0; i < WINDOWS; i++)
            try_window((enum way)way);
    MPI_Finalize();
    return wrong > 0;
}
