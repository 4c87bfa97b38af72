/*
 * Each rank takes a part of a file by the shared pointer, and forgets it: as many runs as there are orders.  Who only asks where the pointer is does not compete with
 * others who do, and nothing is decided where all take their parts together.
 *
 * explore: -n 2 infinite: runs 2 clean 2
 * explore: -n 3 infinite: runs 6 clean 6
 * explore: -n 3 zero: runs 6 clean 6
 * explore: -n 3 any: runs 6 clean 6
 * explore: -n 4 infinite: runs 24 clean 24
 * explore: -n 2 infinite -- twice: runs 6 clean 6
 * explore: -n 4 any -- ask: runs 1 clean 1
 * explore: -n 4 any -- together: runs 1 clean 1
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "once";
    MPI_File file;
    MPI_Offset place;
    char part;

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "/proc/self/exe", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    if (strcmp(how, "ask") == 0)
        MPI_File_get_position_shared(file, &place);
    else if (strcmp(how, "together") == 0)
        MPI_File_read_ordered(file, &part, 1, MPI_CHAR, MPI_STATUS_IGNORE);
    else
        MPI_File_read_shared(file, &part, 1, MPI_CHAR, MPI_STATUS_IGNORE);
    if (strcmp(how, "twice") == 0)
        MPI_File_read_shared(file, &part, 1, MPI_CHAR, MPI_STATUS_IGNORE);
    part = 0;
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
