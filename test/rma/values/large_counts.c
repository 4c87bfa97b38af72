/*
 * The forms with large counts, of libraries that have MPI 4; the others are given the same values by the plain forms.
 *
 * run: -n 2
 * check: -n 2: none
 */
#include <mpi.h>

#include "check_value.h"

#if MPI_VERSION >= 4
typedef MPI_Count number;
#define LARGE(name) name##_c
#define UNIT MPI_Aint
#else
typedef int number;
#define LARGE(name) name
#define UNIT int
#endif

static void operations(MPI_Win win)
{
    number one = 1, two = 2, zero = 0;
    int other = 1 - rank, values[2] = {3 + rank, 5 + rank}, got[2] = {0}, old[2] = {0};
    MPI_Request request;

    LARGE(MPI_Put)(values, two, MPI_INT, other, 0, two, MPI_INT, win);
    MPI_Win_flush(other, win);
    LARGE(MPI_Get)(got, two, MPI_INT, other, 0, two, MPI_INT, win);
    MPI_Win_flush(other, win);
    CHECK(got[0] == 3 + rank && got[1] == 5 + rank);
    LARGE(MPI_Accumulate)(values, one, MPI_INT, other, 0, one, MPI_INT, MPI_SUM, win);
    LARGE(MPI_Get_accumulate)(values, one, MPI_INT, old, one, MPI_INT, other, 0, one, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(other, win);
    CHECK(old[0] == 6 + 2 * rank);
    LARGE(MPI_Rput)(values, two, MPI_INT, other, 2, two, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(other, win);
    LARGE(MPI_Rget)(got, two, MPI_INT, other, 2, two, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(got[1] == 5 + rank);
    LARGE(MPI_Raccumulate)(values, one, MPI_INT, other, 2, one, MPI_INT, MPI_SUM, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    LARGE(MPI_Rget_accumulate)(values, zero, MPI_INT, old, one, MPI_INT, other, 2, one, MPI_INT, MPI_NO_OP, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(old[0] == 6 + 2 * rank);
}

static void use(MPI_Win win)
{
    MPI_Win_lock_all(0, win);
    operations(win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    UNIT unit = sizeof(int), asked;
    MPI_Aint bytes;
    MPI_Win win;
    int *base, *first, *memory;

    begin(&argc, &argv);
    MPI_Alloc_mem(32, MPI_INFO_NULL, &memory);
    LARGE(MPI_Win_create)(memory, 32, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    use(win);
    MPI_Free_mem(memory);
    LARGE(MPI_Win_allocate)(32, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    use(win);
    LARGE(MPI_Win_allocate_shared)(32, unit, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    LARGE(MPI_Win_shared_query)(win, rank, &bytes, &asked, &first);
    CHECK(bytes == 32 && asked == unit && first == base);
    use(win);
    return end();
}
