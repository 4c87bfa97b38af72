/*
 * A hundred windows at one time, some of them of half of the ranks; they are freed and made again in another order, so that each
 * member has other ones.  Slots beyond the first 64 are agreed on in another way, and those from the 33rd on share what is counted of them.
 *
 * run: -n 4
 * check: -n 2 -- 37: none
 * broken: openmpi: 4.1 now and then makes no window for two disjoint groups at a time
 */
#include <mpi.h>
#include <stdlib.h>

#include "check_value.h"

enum { MOST = 100 };

static int windows = MOST; /* a multiple of three, and one */
static _Alignas(16) int memory[MOST][4]; /* MPICH 4.0 over UCX needs windows at multiples of 16 */
static MPI_Win win[MOST];

static void make(int i, MPI_Comm comm)
{
    memory[i][0] = memory[i][1] = 0;
    MPI_Win_create(memory[i], sizeof memory[i], sizeof **memory, MPI_INFO_NULL, comm, &win[i]);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm half;
    if (argc > 1)
        windows = atoi(argv[1]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);

    for (int i = 0; i < windows; i++)
        make(i, i < 10 ? half : MPI_COMM_WORLD);
    for (int i = 1; i < windows; i += 3)
        MPI_Win_free(&win[i]);
    for (int i = windows - 3; i >= 1; i -= 3)
        make(i, i % 2 ? half : MPI_COMM_WORLD);

    for (int i = windows < MOST ? windows - 3 : 0; i < windows; i++) {
        int one = 1, value = i + 1, was = -1, members, mine;
        MPI_Group group;
        MPI_Win_get_group(win[i], &group);
        MPI_Group_size(group, &members);
        MPI_Group_rank(group, &mine);
        MPI_Group_free(&group);
        MPI_Win_fence(0, win[i]);
        MPI_Put(&value, 1, MPI_INT, (mine + 1) % members, 0, 1, MPI_INT, win[i]);
        MPI_Accumulate(&one, 1, MPI_INT, (mine + 1) % members, 1, 1, MPI_INT, MPI_SUM, win[i]);
        MPI_Win_fence(0, win[i]);
        CHECK(memory[i][0] == i + 1 && memory[i][1] == 1);
        MPI_Get(&was, 1, MPI_INT, (mine + 1) % members, 0, 1, MPI_INT, win[i]);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win[i]);
        CHECK(was == i + 1);
    }
    for (int i = 0; i < windows; i++)
        MPI_Win_free(&win[i]);
    MPI_Comm_free(&half);
    return end();
}
