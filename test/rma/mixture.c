/*
 * A small program as an argument: for each rank a word of steps, for random_mixtures.py.
 *
 *     LT ST      MPI_Win_lock of rank T, exclusive or shared      UT  MPI_Win_unlock
 *     PT AT      MPI_Put, MPI_Fetch_and_op at rank T              FT  MPI_Win_flush
 *     sD rS w    MPI_Send to D, MPI_Recv from S, or from any      b   MPI_Barrier
 *     oO W       MPI_Win_post to O, MPI_Win_wait                  tT c  MPI_Win_start of T, MPI_Win_complete
 *     pT         MPI_Put at rank T between start and complete
 *
 * Locks are those of one window, posts those of another.
 */
#include <stddef.h>
#include <stdlib.h>

#include <mpi.h>

static MPI_Win locked, posted;
static MPI_Group all;
static int rank, size, here[16], there[16];

static MPI_Group only(int member)
{
    MPI_Group group;

    MPI_Group_incl(all, 1, &member, &group);
    return group;
}

static void expose(char step, int other)
{
    MPI_Group group = only(other);

    if (step == 'o')
        MPI_Win_post(group, 0, posted);
    else
        MPI_Win_start(group, 0, posted);
    MPI_Group_free(&group);
}

static void lock(char step, int target)
{
    static int value = 7, old[16];

    switch (step) {
    case 'L':
    case 'S':
        MPI_Win_lock(step == 'L' ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, target, 0, locked);
        break;
    case 'U':
        MPI_Win_unlock(target, locked);
        break;
    case 'P':
        MPI_Put(&value, 1, MPI_INT, target, rank, 1, MPI_INT, locked);
        break;
    case 'A':
        MPI_Fetch_and_op(&value, &old[target], MPI_INT, target, size, MPI_SUM, locked);
        break;
    case 'F':
        MPI_Win_flush(target, locked);
        break;
    default:
        abort();
    }
}

/* Whether the step has a rank with it. */
static int take_step(char step, int other)
{
    static int value = 7;

    switch (step) {
    case 's':
        MPI_Send(&value, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
        return 1;
    case 'r':
        MPI_Recv(&(int){0}, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return 1;
    case 'w':
        MPI_Recv(&(int){0}, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return 0;
    case 'b':
        MPI_Barrier(MPI_COMM_WORLD);
        return 0;
    case 'W':
        MPI_Win_wait(posted);
        return 0;
    case 'c':
        MPI_Win_complete(posted);
        return 0;
    case 'p':
        MPI_Put(&value, 1, MPI_INT, other, rank, 1, MPI_INT, posted);
        return 1;
    case 'o':
    case 't':
        expose(step, other);
        return 1;
    default:
        lock(step, other);
        return 1;
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(here, sizeof here, sizeof *here, MPI_INFO_NULL, MPI_COMM_WORLD, &locked);
    MPI_Win_create(there, sizeof there, sizeof *there, MPI_INFO_NULL, MPI_COMM_WORLD, &posted);
    MPI_Win_get_group(posted, &all);
    for (const char *at = rank + 1 < argc ? argv[rank + 1] : ""; *at;)
        at += take_step(at[0], at[1] - '0') ? 2 : 1;
    MPI_Group_free(&all);
    MPI_Win_free(&posted);
    MPI_Win_free(&locked);
    MPI_Finalize();
    return 0;
}
