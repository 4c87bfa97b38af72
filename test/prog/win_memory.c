/*
 * Memory of windows: shared ones, whose members load and store what is next to theirs; dynamic ones; many, one after
 * the other and at a time; and of parts of the world.
 *
 * run: -n 4
 * compare: none
 */
#include "check.h"

static int next, before;

static void shared(MPI_Info info)
{
    int *mine, *theirs, unit;
    MPI_Aint bytes;
    MPI_Win win;

    MPI_Win_allocate_shared(2 * sizeof *mine, sizeof *mine, info, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    mine[0] = 100 + rank;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    for (int i = 0; i < size; i++) {
        MPI_Win_shared_query(win, i, &bytes, &unit, &theirs);
        CHECK(theirs[0] == 100 + i && bytes == 2 * sizeof *mine && unit == sizeof *mine);
        CHECK(info != MPI_INFO_NULL || theirs - mine == 2 * (i - rank));
    }
    MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &theirs);
    CHECK(theirs[0] == 100);
    MPI_Win_shared_query(win, next, &bytes, &unit, &theirs);
    theirs[1] = 200 + rank;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(win);
    CHECK(mine[1] == 200 + before);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* Loads and stores in what is another member's, as locks and other epochs allow them. */
static void shared_in_turns(void)
{
    int *mine, *last, unit;
    MPI_Aint bytes;
    MPI_Group members, other;
    MPI_Win win;

    MPI_Win_allocate_shared(4 * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, size - 1, &bytes, &unit, &last);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, size - 1, 0, win);
    last[0]++;
    MPI_Win_unlock(size - 1, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, size - 1, 0, win);
    CHECK(last[0] == size);
    MPI_Win_unlock(size - 1, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_get_group(win, &members);
    MPI_Group_incl(members, 1, rank ? &(int){0} : &(int){size - 1}, &other);
    if (rank == 0) {
        MPI_Win_start(other, 0, win);
        last[1] = last[2] + 5;
        MPI_Win_complete(win);
    } else if (rank == size - 1) {
        last[2] = 70;
        MPI_Win_post(other, 0, win);
        MPI_Win_wait(win);
        CHECK(last[1] == 75);
    }
    MPI_Group_free(&members);
    MPI_Group_free(&other);
    MPI_Win_fence(0, win);
    if (rank == 1)
        last[3] = 99;
    MPI_Win_fence(0, win);
    CHECK(last[3] == 99);
    MPI_Win_free(&win);
}

static void dynamic(void)
{
    int memory[8] = {0}, more[4] = {0}, value = 7 + rank;
    MPI_Aint place[2], places[8];
    MPI_Win win;

    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, memory, sizeof memory);
    MPI_Win_attach(win, more, sizeof more);
    MPI_Get_address(&memory[3], &place[0]);
    MPI_Get_address(&more[1], &place[1]);
    MPI_Allgather(place, 2, MPI_AINT, places, 2, MPI_AINT, MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Put(&value, 1, MPI_INT, next, places[2 * next], 1, MPI_INT, win);
    MPI_Accumulate(&value, 1, MPI_INT, next, places[2 * next + 1], 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(win, more);
    MPI_Win_free(&win);
    say("dynamic %d %d", memory[3], more[1]);
}

static void many(void)
{
    enum { MANY = 20 };
    int memory[MANY] = {0};
    MPI_Win win[MANY];

    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < MANY; i++)
            MPI_Win_create(&memory[i], sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win[i]);
        for (int i = 0; i < MANY; i++) {
            int value = i + rank;
            MPI_Win_fence(0, win[i]);
            MPI_Put(&value, 1, MPI_INT, next, 0, 1, MPI_INT, win[i]);
            MPI_Win_fence(0, win[i]);
            CHECK(memory[i] == i + before);
        }
        for (int i = MANY - 1; i >= 0; i--)
            MPI_Win_free(&win[i]);
    }
}

/* The order of ranks is another one there. */
static void of_a_part(void)
{
    int place, members, value = 1000 + rank, *memory;
    MPI_Comm part;
    MPI_Win win;

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
    MPI_Comm_rank(part, &place);
    MPI_Comm_size(part, &members);
    MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, part, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, (place + 1) % members, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    say("part %d", *memory);
    MPI_Win_free(&win);
    MPI_Comm_free(&part);
}

int main(int argc, char **argv)
{
    MPI_Info apart;

    begin(&argc, &argv);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    shared(MPI_INFO_NULL);
    MPI_Info_create(&apart);
    MPI_Info_set(apart, "alloc_shared_noncontig", "true");
    shared(apart);
    MPI_Info_free(&apart);
    shared_in_turns();
    dynamic();
    many();
    of_a_part();
    return finish();
}
