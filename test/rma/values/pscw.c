/*
 * Post, start, complete and wait with groups of all sizes; MPI_Win_test; the assertions of these calls.
 *
 * run: -n 3
 * check: -n 3: none
 */
#include <mpi.h>

#include "check_value.h"

static int window[8];
static MPI_Win win;
static MPI_Group all;

static MPI_Group group_of(int first, int second)
{
    int members[2] = {first, second};
    MPI_Group group;

    MPI_Group_incl(all, second < 0 ? 1 : 2, members, &group);
    return group;
}

/* Everybody puts to the next and is put to by the one before. */
static void ring(void)
{
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Group origins = group_of(left, -1), targets = group_of(right, -1);

    for (int round = 1; round <= 3; round++) {
        int value = 10 * round + rank;

        MPI_Win_post(origins, 0, win);
        MPI_Win_start(targets, 0, win);
        MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        CHECK(window[0] == 10 * round + left);
    }
    MPI_Group_free(&origins);
    MPI_Group_free(&targets);
}

/* Two ranks access the third, which asks whether they have finished. */
static void two_origins(void)
{
    MPI_Group group = rank == 2 ? group_of(0, 1) : group_of(2, -1);
    int value = rank + 1, flag = 0;

    if (rank == 2) {
        window[1] = 0;
        MPI_Win_post(group, 0, win);
        while (!flag)
            MPI_Win_test(win, &flag);
        CHECK(window[1] == 3);
    } else {
        MPI_Win_start(group, 0, win);
        MPI_Accumulate(&value, 1, MPI_INT, 2, 1, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_complete(win);
    }
    MPI_Group_free(&group);
}

/* One rank accesses two others, and one of them not at all. */
static void two_targets(void)
{
    MPI_Group group = rank == 0 ? group_of(1, 2) : group_of(0, -1);
    int got[2] = {-1, -1};

    window[2] = 20 + rank;
    if (rank == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Get(&got[0], 1, MPI_INT, 1, 2, 1, MPI_INT, win);
        MPI_Win_complete(win);
        CHECK(got[0] == 21);
        CHECK(got[1] == -1);
    } else {
        MPI_Win_post(group, MPI_MODE_NOPUT, win);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&group);
}

/* Post is known to have come before start. */
static void without_check(void)
{
    MPI_Group group = group_of(1 - rank % 2, -1);
    int value = 30;

    if (rank == 1)
        MPI_Win_post(group, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_start(group, MPI_MODE_NOCHECK, win);
        MPI_Put(&value, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    if (rank == 1) {
        MPI_Win_wait(win);
        CHECK(window[3] == 30);
    }
    MPI_Group_free(&group);
}

/* A rank with itself. */
static void alone(void)
{
    MPI_Group group = group_of(rank, -1);
    int value = 40 + rank, got = 0;

    window[5] = rank;
    MPI_Win_post(group, 0, win);
    MPI_Win_start(group, 0, win);
    MPI_Put(&value, 1, MPI_INT, rank, 4, 1, MPI_INT, win);
    MPI_Get(&got, 1, MPI_INT, rank, 5, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    CHECK(window[4] == 40 + rank);
    CHECK(got == rank);
    MPI_Group_free(&group);
}

static void nobody(void)
{
    MPI_Win_post(MPI_GROUP_EMPTY, 0, win);
    MPI_Win_start(MPI_GROUP_EMPTY, 0, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Win_create(window, sizeof window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_group(win, &all);
    ring();
    two_origins();
    two_targets();
    without_check();
    alone();
    nobody();
    MPI_Group_free(&all);
    MPI_Win_free(&win);
    return end();
}
