/*
 * Collective MPI-IO through views: a matrix dealt out by subarray filetypes,
 * an interleaved file, views asked for, collective calls at offsets.
 *
 * run: -n 4 {tmp}/matrix
 */
#include "check.h"

enum { N = 4 };

/* Accesses of others come before or after, and not at the same time (MPI-4.0, 14.6.1). */
static void settle(MPI_File file)
{
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
}

/* Each rank owns a 2x2 corner of a 4x4 matrix. */
static void matrix(MPI_File file)
{
    int sizes[2] = {N, N}, part[2] = {2, 2}, start[2] = {2 * (rank / 2), 2 * (rank % 2)};
    int mine[4], row[N];
    MPI_Datatype corner, element, filetype;
    MPI_Offset shift;
    char representation[MPI_MAX_DATAREP_STRING];

    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &corner);
    MPI_Type_commit(&corner);
    MPI_File_set_view(file, 0, MPI_INT, corner, "native", MPI_INFO_NULL);
    for (int i = 0; i < 4; i++)
        mine[i] = 10 * rank + i;
    MPI_File_write_all(file, mine, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_get_view(file, &shift, &element, &filetype, representation);
    say("view: shift %lld element int %d, %s", (long long)shift, element == MPI_INT,
        representation);
    MPI_Type_free(&filetype);
    MPI_File_get_byte_offset(file, 3, &shift);
    say("my last element is at %lld", (long long)shift);

    MPI_File_set_view(file, rank * N * sizeof(int), MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    settle(file);
    MPI_File_read_all(file, row, N, MPI_INT, MPI_STATUS_IGNORE);
    say_ints("row", row, N);
    CHECK(row[0] == 10 * (rank / 2 * 2) + 2 * (rank % 2));
    MPI_Type_free(&corner);
}

/* Element i of rank r is element i * size + r of the file. */
static void interleaved(MPI_File file)
{
    MPI_Datatype one;
    MPI_Aint extent;
    int v[3], all[12];

    MPI_Type_create_resized(MPI_INT, 0, size * sizeof(int), &one);
    MPI_Type_commit(&one);
    MPI_File_set_view(file, rank * sizeof(int), MPI_INT, one, "native", MPI_INFO_NULL);
    MPI_File_get_type_extent(file, one, &extent);
    CHECK(extent == (MPI_Aint)(size * sizeof(int)));
    for (int i = 0; i < 3; i++)
        v[i] = 100 * i + rank;
    settle(file);
    MPI_File_write_at_all(file, 0, v, 2, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(file, 2, &v[2], 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    settle(file);
    MPI_File_read_at_all(file, 0, all, 3 * size, MPI_INT, MPI_STATUS_IGNORE);
    say_ints("interleaved", all, 3 * size);
    CHECK(all[11] == 203);
    MPI_Type_free(&one);
}

int main(int argc, char **argv)
{
    MPI_File file;

    begin(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    matrix(file);
    interleaved(file);
    MPI_File_close(&file);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    CHECK(file == MPI_FILE_NULL);
    return finish();
}
