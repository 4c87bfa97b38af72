/*
 * Accesses of one run in all ways that they may go: under a lock that is free, under one that somebody else has, of few and of many pieces, with and without
 * results, to others and to the rank itself, beside the owner's stores, and between fences and epochs of MPI_Win_post.  Each has to find what those before it left.
 *
 * check: -n 3 -- 300: none
 */
#include <stdlib.h>

#include <mpi.h>

#include "check_value.h"

enum { TICKET, SUM, OWN, FREE, CELLS = 256 };

static long *memory;
static MPI_Win win;

static long fetch(long by, int target, int cell)
{
    long found;
    MPI_Fetch_and_op(&by, &found, MPI_LONG, target, cell, MPI_SUM, win);
    MPI_Win_flush(target, win);
    return found;
}

/* Every ticket is drawn once, and those of one rank rise, so the last ones of all come to the sum. */
static void draw_tickets(int times)
{
    long last = -1, mine = 0, all = 0, total = (long)times * size;
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < times; i++) {
        long ticket = fetch(1, 0, TICKET);
        CHECK(ticket > last);
        last = ticket;
        mine += ticket;
        MPI_Accumulate(&ticket, 1, MPI_LONG, 0, SUM, 1, MPI_LONG, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all == total * (total - 1) / 2);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    CHECK(rank != 0 || (memory[TICKET] == total && memory[SUM] == all));
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A number that is got and put back, under a lock that others want as well. */
static void count_by_hand(int times)
{
    for (int i = 0; i < times; i++) {
        long number;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, size - 1, 0, win);
        MPI_Get(&number, 1, MPI_LONG, size - 1, FREE, 1, MPI_LONG, win);
        MPI_Win_flush(size - 1, win);
        number++;
        MPI_Put(&number, 1, MPI_LONG, size - 1, FREE, 1, MPI_LONG, win);
        MPI_Win_unlock(size - 1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, size - 1, 0, win);
    long number;
    MPI_Get(&number, 1, MPI_LONG, size - 1, FREE, 1, MPI_LONG, win);
    MPI_Win_unlock(size - 1, win);
    CHECK(number == (long)times * size);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A column of many pieces to the right, which its owner has stored to before, and hears of by a message. */
static void put_column(void)
{
    MPI_Datatype column;
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    long mine[CELLS / 2], back[CELLS / 2];
    MPI_Type_vector(CELLS / 2, 1, 2, MPI_LONG, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < CELLS / 2; i++)
        mine[i] = 1000 * rank + i;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    for (int i = 0; i < CELLS; i++)
        memory[i] = -1;
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
    MPI_Put(mine, CELLS / 2, MPI_LONG, right, 0, 1, column, win);
    MPI_Win_flush(right, win);
    CHECK(fetch(5, right, 1) == -1); /* between the pieces */
    MPI_Get(back, CELLS / 2, MPI_LONG, right, 0, 1, column, win);
    MPI_Win_unlock(right, win);
    for (int i = 0; i < CELLS / 2; i++)
        CHECK(back[i] == mine[i]);
    MPI_Sendrecv(NULL, 0, MPI_INT, right, 0, NULL, 0, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    CHECK(memory[1] == 4 && memory[3] == -1);
    for (int i = 0; i < CELLS / 2; i++)
        CHECK(memory[2 * i] == 1000 * left + i);
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Type_free(&column);
}

/* What a fence and MPI_Win_complete bring is there for who locks the window next, and the other way round. */
static void change_epochs(int times)
{
    int right = (rank + 1) % size;
    MPI_Group world, one;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = 0; i < times; i++) {
        long number = 10 * i + 1, found;
        MPI_Win_fence(0, win);
        MPI_Put(&number, 1, MPI_LONG, right, OWN, 1, MPI_LONG, win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        CHECK(memory[OWN] == number);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
        found = fetch(1, right, OWN);
        MPI_Win_unlock(right, win);
        CHECK(found == number);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
        CHECK(memory[OWN] == number + 1);
        memory[OWN]++;
        CHECK(fetch(1, rank, OWN) == number + 2);
        CHECK(memory[OWN] == number + 3);
        MPI_Win_unlock(rank, win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank < 2) {
            int other = 1 - rank;
            MPI_Group_incl(world, 1, &other, &one);
            MPI_Win_post(one, 0, win);
            MPI_Win_start(one, 0, win);
            MPI_Get(&found, 1, MPI_LONG, other, OWN, 1, MPI_LONG, win);
            MPI_Win_complete(win);
            MPI_Win_wait(win);
            CHECK(found == number + 3);
            MPI_Group_free(&one);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Group_free(&world);
}

/* TIMES: it takes many until all ways have been gone. */
int main(int argc, char **argv)
{
    begin(&argc, &argv);
    int times = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Win_allocate(CELLS * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    draw_tickets(times);
    count_by_hand(times);
    change_epochs(times > 50 ? 50 : times);
    put_column();
    MPI_Win_free(&win);
    return end();
}
