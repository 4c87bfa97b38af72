/*
 * Dynamic windows: several pieces of memory, attached and detached, with addresses as displacements.
 *
 * run: -n 2
 * check: -n 2: none
 */
#include <stddef.h>

#include <mpi.h>

#include "check_value.h"

enum { PIECES = 3, LENGTH = 8 };

static MPI_Win win;

static void pieces(void)
{
    int *memory[PIECES], value = 7, got = -1, old = -1;
    MPI_Aint mine[PIECES], theirs[PIECES];

    for (int i = 0; i < PIECES; i++) {
        MPI_Alloc_mem(LENGTH * sizeof(int), MPI_INFO_NULL, &memory[i]);
        for (int j = 0; j < LENGTH; j++)
            memory[i][j] = 100 * i + j;
        MPI_Win_attach(win, memory[i], LENGTH * sizeof(int));
        MPI_Get_address(memory[i], &mine[i]);
    }
    MPI_Sendrecv(mine, PIECES, MPI_AINT, 1 - rank, 0, theirs, PIECES, MPI_AINT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);
    for (int i = 0; i < PIECES; i++)
        MPI_Put(&value, 1, MPI_INT, 1 - rank, MPI_Aint_add(theirs[i], i * (MPI_Aint)sizeof(int)), 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < PIECES; i++)
        for (int j = 0; j < LENGTH; j++)
            CHECK(memory[i][j] == (j == i ? 7 : 100 * i + j));
    MPI_Win_fence(0, win);
    MPI_Get(&got, 1, MPI_INT, 1 - rank, MPI_Aint_add(theirs[2], 20), 1, MPI_INT, win);
    MPI_Fetch_and_op(&value, &old, MPI_INT, 1 - rank, theirs[0], MPI_SUM, win);
    MPI_Win_fence(0, win);
    CHECK(got == 205);
    CHECK(old == 7);
    CHECK(memory[0][0] == 14);
    CHECK(MPI_Aint_diff(theirs[0], theirs[0]) == 0);
    MPI_Win_detach(win, memory[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, 1 - rank, theirs[0], 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    CHECK(memory[0][0] == 7);
    MPI_Win_detach(win, memory[0]);
    MPI_Win_detach(win, memory[2]);
    for (int i = 0; i < PIECES; i++)
        MPI_Free_mem(memory[i]);
}

/* Memory that is attached while the other rank waits for a message with its address. */
static void told_by_message(void)
{
    int *memory, value = 33;
    MPI_Aint place;

    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Alloc_mem(4 * sizeof(int), MPI_INFO_NULL, &memory);
        memory[0] = 0;
        MPI_Win_attach(win, memory, 4 * sizeof(int));
        MPI_Win_sync(win);
        MPI_Get_address(memory, &place);
        MPI_Send(&place, 1, MPI_AINT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_sync(win);
        CHECK(memory[0] == 33);
        MPI_Win_detach(win, memory);
        MPI_Free_mem(memory);
    } else {
        MPI_Recv(&place, 1, MPI_AINT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Put(&value, 1, MPI_INT, 1, place, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
}

static void attributes(void)
{
    void *value;
    int flag;

    MPI_Win_get_attr(win, MPI_WIN_BASE, &value, &flag);
    CHECK(flag && value == MPI_BOTTOM);
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &value, &flag);
    CHECK(flag && *(MPI_Aint *)value == 0);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &value, &flag);
    CHECK(flag && *(int *)value == 1);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &value, &flag);
    CHECK(flag && *(int *)value == MPI_WIN_FLAVOR_DYNAMIC);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    attributes();
    pieces();
    told_by_message();
    MPI_Win_free(&win);
    return end();
}
