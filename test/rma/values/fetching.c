/*
 * Operations that bring back what was there before: MPI_Get_accumulate, MPI_Fetch_and_op, MPI_Compare_and_swap.
 * Open MPI 4.1 crashes in a compare and swap of eight bytes unless it is told to use shared memory in another way.
 *
 * run: -n 3
 * env: OMPI_MCA_btl_vader_single_copy_mechanism=none
 * check: -n 3: none
 */
#include <stdint.h>

#include <mpi.h>

#include "check_value.h"

enum { PLACES = 8 };

static MPI_Win win;

/* Rank 1 applies an operator to rank 0's place 0, which was 12, with the operand 10. */
static void one_operator(MPI_Op op, int after)
{
    int start = 12, operand = 10, old = -1, now = -1;

    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&start, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Fetch_and_op(&operand, &old, MPI_INT, 0, 0, op, win);
        MPI_Win_flush(0, win);
        MPI_Get(&now, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        CHECK(old == 12);
        CHECK(now == after);
        MPI_Put(&start, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        old = -1;
        MPI_Get_accumulate(&operand, 1, MPI_INT, &old, 1, MPI_INT, 0, 0, 1, MPI_INT, op, win);
        MPI_Win_flush(0, win);
        MPI_Get(&now, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
        CHECK(old == 12);
        CHECK(now == after);
    }
}

static void operators(void)
{
    one_operator(MPI_SUM, 22);
    one_operator(MPI_PROD, 120);
    one_operator(MPI_MIN, 10);
    one_operator(MPI_MAX, 12);
    one_operator(MPI_LAND, 1);
    one_operator(MPI_LOR, 1);
    one_operator(MPI_LXOR, 0);
    one_operator(MPI_BAND, 8);
    one_operator(MPI_BOR, 14);
    one_operator(MPI_BXOR, 6);
    one_operator(MPI_REPLACE, 10);
    one_operator(MPI_NO_OP, 12);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* All draw tickets; each number comes once. */
static void tickets(void)
{
    int one = 1, mine, all[3];

    MPI_Win_lock_all(0, win);
    MPI_Fetch_and_op(&one, &mine, MPI_INT, 0, 1, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        CHECK((all[0] == i) + (all[1] == i) + (all[2] == i) == 1);
}

#define SWAPS(type, mpi_type, to)                                              \
    do {                                                                       \
        type place = 5, wanted = 6, other = 7, old = 0;                        \
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, win);                          \
        MPI_Put(&place, 1, mpi_type, to, 4, 1, mpi_type, win);                 \
        MPI_Win_flush(to, win);                                                \
        MPI_Compare_and_swap(&wanted, &other, &old, mpi_type, to, 4, win);     \
        MPI_Win_flush(to, win);                                                \
        CHECK(old == 5);                                                       \
        MPI_Compare_and_swap(&wanted, &place, &old, mpi_type, to, 4, win);     \
        MPI_Win_flush(to, win);                                                \
        CHECK(old == 5);                                                       \
        MPI_Get(&old, 1, mpi_type, to, 4, 1, mpi_type, win);                   \
        MPI_Win_unlock(to, win);                                               \
        CHECK(old == 6);                                                       \
    } while (0)

static void swaps(int to)
{
    SWAPS(int, MPI_INT, to);
    SWAPS(unsigned, MPI_UNSIGNED, to);
    SWAPS(long long, MPI_LONG_LONG, to);
    SWAPS(int32_t, MPI_INT32_T, to);
    SWAPS(uint64_t, MPI_UINT64_T, to);
    SWAPS(MPI_Aint, MPI_AINT, to);
}

/* Of all who want to swap, one succeeds. */
static void one_winner(void)
{
    int zero = 0, mine = rank + 1, old, won, sum;

    MPI_Win_lock_all(0, win);
    MPI_Compare_and_swap(&mine, &zero, &old, MPI_INT, 0, 2, win);
    MPI_Win_unlock_all(win);
    won = old == 0;
    MPI_Allreduce(&won, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == 1);
}

static void several_elements(void)
{
    int operands[4] = {1, 2, 3, 4}, first[4] = {10, 20, 30, 40}, old[4];

    if (rank == 2) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(first, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Get_accumulate(operands, 4, MPI_INT, old, 4, MPI_INT, 1, 0, 4, MPI_INT, MPI_SUM, win);
        MPI_Win_flush_local(1, win);
        for (int i = 0; i < 4; i++)
            CHECK(old[i] == 10 * (i + 1));
        MPI_Get_accumulate(NULL, 0, MPI_INT, old, 4, MPI_INT, 1, 0, 4, MPI_INT, MPI_NO_OP, win);
        MPI_Win_unlock(1, win);
        for (int i = 0; i < 4; i++)
            CHECK(old[i] == 11 * (i + 1));
    }
}

static void nobody(void)
{
    int operand = 1, old = 9;

    MPI_Win_lock_all(0, win);
    MPI_Fetch_and_op(&operand, &old, MPI_INT, MPI_PROC_NULL, 0, MPI_SUM, win);
    MPI_Compare_and_swap(&operand, &operand, &old, MPI_INT, MPI_PROC_NULL, 0, win);
    MPI_Get_accumulate(&operand, 1, MPI_INT, &old, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    CHECK(old == 9);
}

int main(int argc, char **argv)
{
    long long *window;

    begin(&argc, &argv);
    MPI_Win_allocate(PLACES * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < PLACES; i++)
        window[i] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    operators();
    tickets();
    one_winner();
    if (rank == 0)
        swaps(1);
    if (rank == 1)
        swaps(0);
    if (rank == 2)
        swaps(2);
    MPI_Barrier(MPI_COMM_WORLD);
    several_elements();
    nobody();
    MPI_Win_free(&win);
    return end();
}
