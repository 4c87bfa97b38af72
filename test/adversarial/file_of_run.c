/*
 * Each run has files of its own: what a rank reads is what was written in the same run, or was there before the search, whatever order of
 * messages was played before.  Rank 0 tells the others who was first by a file; what they find goes back to it.
 *
 *   others   they read by the file handle by which it was written
 *   again    they open the file when it has been closed
 *   counter  rank 0 counts on what it finds in the file
 *   size     the file is as long as the number says
 *   append   rank 0 appends, and so does rank 1 after it
 *   deleted  the file is deleted and made again
 *   shared   what ranks write by the shared pointer is read in their order
 *   created  the file must not be there before
 *
 * check: -n 3 -- others: none
 * check: -n 3 -- again: none
 * check: -n 3 -- counter: none
 * check: -n 3 -- size: none
 * check: -n 3 -- append: none
 * check: -n 3 -- deleted: none
 * check: -n 3 -- shared: none
 * check: -n 3 -- created: none
 * runs: -n 3 -- others: 2, merged 2
 * runs: -n 3 -- again: 2, merged 2
 * runs: -n 3 -- counter: 2, merged 1
 * runs: -n 3 -- size: 2, merged 2
 * runs: -n 3 -- append: 2, merged 2
 * runs: -n 3 -- deleted: 2, merged 2
 * runs: -n 3 -- shared: 12, merged 6
 * runs: -n 3 -- created: 2, merged 2
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *how;
static char path[4096];
static int rank;

static int is(const char *word)
{
    return strcmp(how, word) == 0;
}

static MPI_File open_file(MPI_Comm comm, int mode)
{
    MPI_File file;

    if (MPI_File_open(comm, path, mode, MPI_INFO_NULL, &file) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return file;
}

static void meet(MPI_File file)
{
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
}

/* Who was first, and who second; known to rank 0. */
static void hear(int order[2])
{
    for (int i = 0; i < 2 && rank == 0; i++)
        MPI_Recv(&order[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

static int count_up(MPI_File file)
{
    int value = -1, got;
    MPI_Status status;

    MPI_File_read_at(file, 0, &value, 1, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &got);
    value = got == 1 ? value + 1 : 1;
    MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    return value;
}

static int use_file(const int order[2])
{
    int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | (is("created") ? MPI_MODE_EXCL : 0), found = 0, value;
    MPI_Offset size;
    MPI_File file = open_file(MPI_COMM_WORLD, mode);

    if (is("deleted")) {
        value = 77;
        if (rank == 0)
            MPI_File_write_at(file, 4, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
        if (rank == 0)
            MPI_File_delete(path, MPI_INFO_NULL);
        MPI_Barrier(MPI_COMM_WORLD);
        file = open_file(MPI_COMM_WORLD, mode);
    }
    if (is("counter") && rank == 0)
        found = count_up(file) == 1 ? order[0] : 99;
    if (is("size"))
        MPI_File_set_size(file, 0);
    if (rank == 0 && !is("counter"))
        MPI_File_write_at(file, is("size") ? 4 * (order[0] - 1) : 0, order, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (is("again") || is("append")) {
        MPI_File_close(&file);
        file = open_file(MPI_COMM_WORLD, is("append") ? MPI_MODE_APPEND | MPI_MODE_RDWR : MPI_MODE_RDONLY);
    } else {
        meet(file);
    }
    if (is("append")) {
        MPI_File_get_position(file, &size);
        found = (int)size == 4 ? order[0] : 98;
    } else if (is("size")) {
        MPI_File_get_size(file, &size);
        found = (int)size / 4;
        MPI_File_seek(file, 0, MPI_SEEK_END);
        MPI_File_get_position(file, &size);
        found = found == (int)size / 4 ? found : 97;
    } else if (rank) {
        MPI_File_read_at(file, 0, &found, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    return found;
}

static int use_shared(void)
{
    int value = rank, found[3] = {0};
    MPI_File file = open_file(MPI_COMM_WORLD, MPI_MODE_CREATE | MPI_MODE_RDWR);

    MPI_File_write_shared(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    meet(file);
    MPI_File_read_at(file, 0, found, 3, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return 100 * found[0] + 10 * found[1] + found[2];
}

int main(int argc, char **argv)
{
    int order[2] = {0, 0}, found, bad = 0, all[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    how = argv[1];
    snprintf(path, sizeof path, "%s/file_of_run.%s", getenv("FOLDER"), how);
    hear(order);
    found = is("shared") ? use_shared() : use_file(order);
    MPI_Gather(&found, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < 3; i++)
        bad |= is("shared") ? all[i] != all[0] || all[i] % 10 + all[i] / 10 % 10 + all[i] / 100 != 3
               : is("counter") ? all[0] != order[0] || all[i] != 1
               : is("append") ? all[0] != order[0] || all[i] == 98
                              : all[i] != order[0];
    MPI_Finalize();
    return bad;
}
