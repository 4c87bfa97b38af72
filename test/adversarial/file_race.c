/*
 * Rank 0 writes to a file, and rank 1 reads there, or writes, too (MPI-4.0, 14.6.1).  Without atomic mode, MPI_File_sync has to come after the first
 * and before the second, with something between that orders them; collective calls on files are no such thing.
 *
 * check: -n 2 -- bare: file-race error WRITE
 * check: -n 2 -- barrier: file-race warning WRITE
 * check: -n 2 -- first: file-race warning WRITE
 * check: -n 2 -- second: file-race warning WRITE
 * check: -n 2 -- syncs: file-race error WRITE
 * check: -n 2 -- right: none
 * check: -n 2 -- message: none
 * check: -n 2 -- atomic: none
 * check: -n 2 -- apart: none
 * check: -n 2 -- reads: none
 * check: -n 2 -- writes: file-race error WRITE
 * check: -n 2 -- equal: file-race warning WRITE
 * check: -n 2 -- pointers: file-race error POINTERS
 * check: -n 2 -- views: none
 * check: -n 2 -- shifted: file-race error VIEWS
 * check: -n 2 -- shared: none
 * check: -n 2 -- together: file-race error TOGETHER
 * check: -n 2 -- ordered: none
 * check: -n 2 -- later: none
 * check: -n 2 -- again: none
 * check: -n 2 -- hasty: file-race error WRITE
 * runs: -n 2 -- bare: 1, merged 1
 * runs: -n 2 -- barrier: 1, merged 1
 * runs: -n 2 -- first: 1, merged 1
 * runs: -n 2 -- second: 1, merged 1
 * runs: -n 2 -- syncs: 1, merged 1
 * runs: -n 2 -- right: 1, merged 1
 * runs: -n 2 -- message: 1, merged 1
 * runs: -n 2 -- atomic: 1, merged 1
 * runs: -n 2 -- apart: 1, merged 1
 * runs: -n 2 -- reads: 1, merged 1
 * runs: -n 2 -- writes: 1, merged 1
 * runs: -n 2 -- equal: 1, merged 1
 * runs: -n 2 -- pointers: 1, merged 1
 * runs: -n 2 -- views: 1, merged 1
 * runs: -n 2 -- shifted: 1, merged 1
 * runs: -n 2 -- shared: 2, merged 2
 * runs: -n 2 -- together: 1, merged 1
 * runs: -n 2 -- ordered: 1, merged 1
 * runs: -n 2 -- later: 1, merged 1
 * runs: -n 2 -- again: 1, merged 1
 * runs: -n 2 -- hasty: 1, merged 1
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static const char *how;
static MPI_File file;

static int is(const char *what)
{
    return strcmp(how, what) == 0;
}

/* What comes between the two. */
static void come_between(void)
{
    int sign = 0;

    if (is("syncs") || is("right") || is("first") || is("message") || is("later"))
        MPI_File_sync(file);
    if (is("message") && rank == 0)
        MPI_Send(&sign, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else if (is("message"))
        MPI_Recv(&sign, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (!is("bare") && !is("syncs") && !is("writes") && !is("equal") && !is("apart") && !is("atomic") && !is("hasty"))
        MPI_Barrier(MPI_COMM_WORLD);
    if (is("syncs") || is("right") || is("second") || is("message") || is("later"))
        MPI_File_sync(file);
}

/* By file handles of their own. */
static void open_own(const char *name)
{
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
}

static void use_in_turn(const char *name)
{
    int value = is("equal") ? 7 : rank;

    if (is("again") || is("hasty"))
        open_own(name);
    if (is("atomic"))
        MPI_File_set_atomicity(file, 1);
    if (rank == 0 && !is("reads"))
        MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE); /* WRITE */
    if (is("again") || is("hasty"))
        MPI_File_close(&file);
    come_between();
    if (is("again") || is("hasty"))
        open_own(name);
    if (rank == 1 && (is("writes") || is("equal")))
        MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    else if (rank == 1 || is("reads"))
        MPI_File_read_at(file, is("apart") ? 8 : 2, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (is("again") || is("hasty"))
        MPI_File_close(&file);
    if (is("later")) {
        come_between();
        if (rank == 0)
            MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
}

/* Every second element, each rank another half; shifted, each has one of the other's. */
static void use_views(void)
{
    MPI_Datatype half;
    int values[4] = {rank, rank, rank, rank};

    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &half);
    MPI_Type_commit(&half);
    MPI_File_set_view(file, (MPI_Offset)sizeof(int) * (is("shifted") ? 2 * rank : rank), MPI_INT, half, "native", MPI_INFO_NULL);
    MPI_File_write(file, values, 4, MPI_INT, MPI_STATUS_IGNORE); /* VIEWS */
    MPI_Type_free(&half);
}

int main(int argc, char **argv)
{
    char name[512];
    int value;
    int several;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    how = argv[1];
    value = rank;
    several = !is("again") && !is("hasty");
    snprintf(name, sizeof name, "%s/file_race.%s", getenv("FOLDER"), how);
    if (several)
        MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    if (is("views") || is("shifted"))
        use_views();
    else if (is("pointers"))
        MPI_File_write(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE); /* POINTERS */
    else if (is("shared"))
        MPI_File_write_shared(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    else if (is("ordered"))
        MPI_File_write_ordered(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    else if (is("together")) {
        MPI_File_write_at_all(file, 4 * rank, &value, 1, MPI_INT, MPI_STATUS_IGNORE); /* TOGETHER */
        MPI_File_read_at_all(file, 4 - 4 * rank, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    } else {
        use_in_turn(name);
    }
    if (several)
        MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
