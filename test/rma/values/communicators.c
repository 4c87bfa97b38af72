/*
 * Windows of other groups than all ranks, several at a time, one inside the epoch of another.
 *
 * run: -n 4
 * broken: openmpi: 4.1 now and then makes no window, or waits for ever, for two disjoint groups at a time
 * check: -n 4: none
 */
#include <mpi.h>

#include "check_value.h"

static int ours[4], reversed[4], half[4], *alone;

int main(int argc, char **argv)
{
    MPI_Comm backwards, even;
    MPI_Win all, turned, self, part;
    int value, mine, ranks;

    begin(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &even);
    MPI_Win_create(ours, sizeof ours, sizeof *ours, MPI_INFO_NULL, MPI_COMM_WORLD, &all);
    MPI_Win_create(reversed, sizeof reversed, sizeof *reversed, MPI_INFO_NULL, backwards, &turned);
    MPI_Win_allocate(4 * sizeof *alone, sizeof *alone, MPI_INFO_NULL, MPI_COMM_SELF, &alone, &self);
    MPI_Win_create(half, sizeof half, sizeof *half, MPI_INFO_NULL, even, &part);
    MPI_Comm_rank(even, &mine);
    MPI_Comm_size(even, &ranks);
    MPI_Comm_free(&backwards);
    MPI_Comm_free(&even);
    value = 100 + rank;
    MPI_Win_fence(0, all);
    MPI_Win_fence(0, turned);
    MPI_Win_fence(0, self);
    MPI_Win_fence(0, part);
    MPI_Put(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, all);
    MPI_Put(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, turned);
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, self);
    MPI_Put(&value, 1, MPI_INT, (mine + 1) % ranks, 0, 1, MPI_INT, part);
    MPI_Win_fence(0, turned);
    MPI_Win_fence(0, part);
    MPI_Win_fence(0, all);
    MPI_Win_fence(0, self);
    for (int i = 0; i < size; i++) {
        CHECK(ours[i] == (rank == 0 ? 100 + i : 0));
        CHECK(reversed[i] == (rank == size - 1 ? 100 + i : 0));
    }
    CHECK(alone[0] == 100 + rank);
    CHECK(half[0] == 100 + (rank + 2) % 4);
    MPI_Win_free(&turned);
    MPI_Win_free(&part);
    MPI_Win_free(&self);
    MPI_Win_free(&all);
    return end();
}
