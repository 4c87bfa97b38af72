/*
 * Errors of one-sided communication that are returned or given to a handler, and what tourney says of them.
 *
 * run: -n 2
 * compare: none
 * expect: warning
 */
#include "check.h"

static int heard;

static void hear(MPI_Win *win, int *code, ...)
{
    (void)win;
    heard = class_of(*code);
}

static void out_of_place(MPI_Win win, int *got)
{
    MPI_Group none;

    CHECK(class_of(MPI_Put(got, 1, MPI_INT, 0, 0, 1, MPI_INT, win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_unlock(0, win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_unlock_all(win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_flush(0, win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_complete(win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_wait(win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_lock(-5, 0, 0, win)) == MPI_ERR_LOCKTYPE);
    CHECK(class_of(MPI_Win_lock(MPI_LOCK_SHARED, size, 0, win)) == MPI_ERR_RANK);
    MPI_Group_excl(MPI_GROUP_EMPTY, 0, NULL, &none);
    MPI_Win_start(none, 0, win);
    CHECK(class_of(MPI_Win_start(none, 0, win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_fence(0, win)) == MPI_ERR_RMA_SYNC);
    MPI_Win_complete(win);
}

static void not_fitting(MPI_Win win, int *got)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    CHECK(class_of(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_lock_all(0, win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Win_free(&win)) == MPI_ERR_RMA_SYNC);
    CHECK(class_of(MPI_Get(got, 1, MPI_INT, 0, 4, 1, MPI_INT, win)) == MPI_ERR_RMA_RANGE);
    CHECK(class_of(MPI_Get(got, 1, MPI_INT, 0, -1, 1, MPI_INT, win)) == MPI_ERR_DISP);
    CHECK(class_of(MPI_Get(got, 1, MPI_INT, 0, 0, 2, MPI_INT, win)) == MPI_ERR_TYPE);
    CHECK(class_of(MPI_Get(got, -1, MPI_INT, 0, 0, 1, MPI_INT, win)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Get(got, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win)) == MPI_ERR_TYPE);
    CHECK(class_of(MPI_Get(got, 1, MPI_INT, size, 0, 1, MPI_INT, win)) == MPI_ERR_RANK);
    CHECK(class_of(MPI_Accumulate(got, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, win)) == MPI_ERR_OP);
    MPI_Win_unlock(0, win);
}

int main(int argc, char **argv)
{
    int memory[4] = {0}, got = 0;
    MPI_Errhandler handler;
    MPI_Win win;

    begin(&argc, &argv);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    out_of_place(win, &got);
    not_fitting(win, &got);
    MPI_Win_create_errhandler(hear, &handler);
    MPI_Win_set_errhandler(win, handler);
    MPI_Errhandler_free(&handler);
    CHECK(class_of(MPI_Win_unlock(0, win)) == MPI_ERR_RMA_SYNC);
    CHECK(heard == MPI_ERR_RMA_SYNC);
    MPI_Win_free(&win);
    return finish();
}
