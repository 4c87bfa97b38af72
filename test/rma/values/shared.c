/*
 * Shared windows: where the parts lie, what MPI_Win_shared_query says, loads, stores and operations.
 *
 * run: -n 3
 * check: -n 3: none
 */
#include <stddef.h>

#include <mpi.h>

#include "check_value.h"

/* Rank 0 gives nothing, the others rank numbers each. */
static void queries(void)
{
    int *mine, *base, unit;
    MPI_Aint bytes;
    MPI_Win win;

    MPI_Win_allocate_shared(rank * 16, 4 * rank + 4, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    for (int i = 1; i < size; i++) {
        MPI_Win_shared_query(win, i, &bytes, &unit, &base);
        CHECK(bytes == i * 16);
        CHECK(unit == 4 * i + 4);
        CHECK(i != rank || base == mine);
    }
    MPI_Win_shared_query(win, 0, &bytes, &unit, &base);
    CHECK(bytes == 0);
    MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &base);
    CHECK(bytes == 16);
    CHECK(unit == 8);
    CHECK(rank != 1 || base == mine);
    MPI_Win_free(&win);
}

/* One piece: the part of a rank begins where that of the rank before ends. */
static void one_piece(void)
{
    int *mine, *first, unit, sum = 0;
    MPI_Aint bytes;
    MPI_Win win;

    MPI_Win_allocate_shared(4 * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &first);
    CHECK(mine == first + 4 * rank);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 4; i++)
        mine[i] = rank + 1;
    MPI_Win_fence(0, win);
    for (int i = 0; i < 4 * size; i++)
        sum += first[i];
    CHECK(sum == 24);
    MPI_Win_fence(0, win);
    if (rank == 2)
        first[4] = 9;
    MPI_Win_fence(0, win);
    CHECK(rank != 1 || mine[0] == 9);
    MPI_Win_free(&win);
}

static void several_pieces(void)
{
    int *mine, *base, unit;
    MPI_Aint bytes;
    MPI_Info info;
    MPI_Win win;

    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    MPI_Win_allocate_shared(16 * sizeof *mine, sizeof *mine, info, MPI_COMM_WORLD, &mine, &win);
    MPI_Info_free(&info);
    MPI_Win_lock_all(0, win);
    mine[3] = 100 + rank;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    for (int i = 0; i < size; i++) {
        MPI_Win_shared_query(win, i, &bytes, &unit, &base);
        CHECK(bytes >= 16 * (MPI_Aint)sizeof *mine);
        CHECK(base[3] == 100 + i);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void operations(void)
{
    int *mine, value, got = -1, old = -1, one = 1;
    MPI_Win win;

    MPI_Win_allocate_shared(8 * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    value = 5 + rank;
    mine[1] = 0;
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    CHECK(mine[0] == 5 + (rank + size - 1) % size);
    CHECK(mine[1] == (rank == 0 ? size : 0));
    MPI_Get(&got, 1, MPI_INT, (rank + 2) % size, 0, 1, MPI_INT, win);
    MPI_Fetch_and_op(&one, &old, MPI_INT, rank, 1, MPI_SUM, win);
    MPI_Win_fence(0, win);
    CHECK(got == 5 + (rank + 1) % size);
    CHECK(old == (rank == 0 ? size : 0));
    MPI_Win_free(&win);
}

static void message(void)
{
    int *mine, *first, unit;
    MPI_Aint bytes;
    MPI_Win win;

    MPI_Win_allocate_shared(4 * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &first);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    if (rank == 0) {
        first[2] = 77;
        MPI_Win_sync(win);
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_sync(win);
        CHECK(first[2] == 77);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    queries();
    one_piece();
    several_pieces();
    operations();
    message();
    return end();
}
