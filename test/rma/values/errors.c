/*
 * Error handlers of windows: what is set, what is called, and errors that are returned.
 *
 * run: -n 2
 * check: -n 2 -W invalid-argument=off: none
 */
#include <mpi.h>

#include "check_value.h"

static int *window, calls, last;

static void handle(MPI_Win *win, int *code, ...)
{
    CHECK(*win != MPI_WIN_NULL);
    calls++;
    MPI_Error_class(*code, &last);
}

static int class_of(int code)
{
    int class;

    MPI_Error_class(code, &class);
    return class;
}

int main(int argc, char **argv)
{
    MPI_Errhandler own, got;
    MPI_Win win;
    int value = 1;

    begin(&argc, &argv);
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_get_errhandler(win, &got);
    CHECK(got == MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&got);
    MPI_Win_create_errhandler(handle, &own);
    MPI_Win_set_errhandler(win, own);
    MPI_Win_get_errhandler(win, &got);
    CHECK(got == own);
    MPI_Errhandler_free(&got);
    MPI_Win_call_errhandler(win, MPI_ERR_OTHER);
    CHECK(calls == 1 && last == MPI_ERR_OTHER);
    MPI_Errhandler_free(&own);
    MPI_Win_call_errhandler(win, MPI_ERR_RMA_SYNC);
    CHECK(calls == 2 && last == MPI_ERR_RMA_SYNC);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    CHECK(class_of(MPI_Put(&value, 1, MPI_INT, 99, 0, 1, MPI_INT, win)) == MPI_ERR_RANK);
    CHECK(class_of(MPI_Get(&value, -1, MPI_INT, 0, 0, 1, MPI_INT, win)) == MPI_ERR_COUNT);
    CHECK(calls == 2);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    return end();
}
