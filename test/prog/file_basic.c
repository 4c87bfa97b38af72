/*
 * MPI-IO with explicit offsets and individual pointers: open, write, read,
 * seek, sizes, sync, errors of open, delete.
 *
 * run: -n 3 {tmp}/data
 */
#include "check.h"

static MPI_File open_as(const char *path, int mode)
{
    MPI_File file;

    MPI_File_open(MPI_COMM_WORLD, path, mode, MPI_INFO_NULL, &file);
    return file;
}

/* Everybody writes its part and reads its neighbour's. */
static void explicit_offsets(const char *path)
{
    MPI_File file = open_as(path, MPI_MODE_CREATE | MPI_MODE_RDWR);
    int v[4], next = (rank + 1) % size, count, mode;
    MPI_Offset bytes;
    MPI_Status status;
    MPI_Group group;

    for (int i = 0; i < 4; i++)
        v[i] = 10 * rank + i;
    MPI_File_write_at(file, rank * sizeof v, v, 4, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 4);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_read_at(file, next * sizeof v, v, 4, MPI_INT, &status);
    say_ints("neighbour's part", v, 4);
    CHECK(v[3] == 10 * next + 3);
    MPI_File_read_at(file, (size * 4 - 1) * sizeof *v, v, 4, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    say("at the end only %d", count);
    MPI_File_get_size(file, &bytes);
    MPI_File_get_amode(file, &mode);
    MPI_File_get_group(file, &group);
    MPI_Group_size(group, &count);
    MPI_Group_free(&group);
    say("size %lld, mode %d, group %d", (long long)bytes, mode == (MPI_MODE_CREATE | MPI_MODE_RDWR),
        count);
    MPI_File_close(&file);
    CHECK(file == MPI_FILE_NULL);
}

static void individual_pointer(const char *path)
{
    MPI_File file = open_as(path, MPI_MODE_RDWR);
    int v[3] = {-1, -1, -1};
    MPI_Offset place, bytes;

    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_seek(file, 4 * rank, MPI_SEEK_SET);
    MPI_File_read(file, &v[0], 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 1, MPI_SEEK_CUR);
    MPI_File_read(file, &v[1], 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, -1 - rank, MPI_SEEK_END);
    MPI_File_get_position(file, &place);
    MPI_File_read(file, &v[2], 1, MPI_INT, MPI_STATUS_IGNORE);
    say("seek: %d %d %d, last at %lld", v[0], v[1], v[2], (long long)place);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek(file, 4 * rank, MPI_SEEK_SET);
    MPI_File_write(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_set_size(file, 10 * sizeof(int));
    MPI_Barrier(MPI_COMM_WORLD); /* Open MPI lets others go on before one has cut it */
    MPI_File_get_size(file, &bytes);
    MPI_File_preallocate(file, 100);
    MPI_File_set_atomicity(file, 1);
    say("cut to %lld", (long long)bytes);
    MPI_File_close(&file);
}

static void appending_and_errors(const char *path)
{
    MPI_File file;
    MPI_Offset place;
    int code;

    file = open_as(path, MPI_MODE_WRONLY | MPI_MODE_APPEND);
    MPI_File_get_position(file, &place);
    say("appending at %lld", (long long)place);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_File_delete(path, MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    code = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    say("gone: no such file %d", class_of(code) == MPI_ERR_NO_SUCH_FILE);
    CHECK(code != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    explicit_offsets(argv[1]);
    individual_pointer(argv[1]);
    appending_and_errors(argv[1]);
    return finish();
}
