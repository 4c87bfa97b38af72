/*
 * A file is written and read over and over, rightly, more often than is remembered at one time, and only then by two ranks at once: what was
 * compared and forgotten before must not hide that.
 *
 * run: -n 2 {tmp}/data
 * exit: 1
 * compare: none
 * expect: "two ranks access the same bytes of a file" [file-race]
 * expect: "bytes 0 to 3 of " "/data: a write of rank 0 and a write of rank 1"
 * expect: "/data)  at file_race_late.c:"
 * expect: rank 0 MPI_File_write_at at WRITE
 * expect: rank 1 MPI_File_write_at at WRITE
 */
#include <mpi.h>

enum { ROUNDS = 600 };

int main(int argc, char **argv)
{
    int rank, value;
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i <= ROUNDS; i++) {
        MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
        value = i == ROUNDS ? rank : i;
        if (i == ROUNDS || i % 2 == rank)
            MPI_File_write_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE); /* WRITE */
        MPI_File_sync(file);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_File_sync(file);
        MPI_File_read_at(file, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        if (value != i && i < ROUNDS)
            MPI_Abort(MPI_COMM_WORLD, 2);
        MPI_File_close(&file);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
