/*
 * Shared file pointers: ordered writes and reads go by rank.
 *
 * run: -n 3 {tmp}/shared
 */
#include "check.h"

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Offset place, bytes;
    int v[3] = {10 * rank, 10 * rank + 1, 10 * rank + 2}, got[3] = {-1, -1, -1};

    begin(&argc, &argv);
    for (int i = 0; i < 3; i++)
        v[i] = 10 * rank + i;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    /* Rank r writes r + 1 elements. */
    MPI_File_write_ordered(file, v, rank + 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_position_shared(file, &place);
    MPI_File_get_size(file, &bytes);
    say("written to %lld, bytes %lld", (long long)place, (long long)bytes);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered(file, got, 2, MPI_INT, MPI_STATUS_IGNORE);
    say_ints("ordered", got, 2);
    MPI_File_close(&file);
    return finish();
}
