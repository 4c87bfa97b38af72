/*
 * Tags from 0 to MPI_TAG_UB.
 *
 * run: -n 2
 */
#include "check.h"

int main(int argc, char **argv)
{
    int *upper, found, code;

    begin(&argc, &argv);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &upper, &found);
    CHECK(found && *upper >= 32767);

    int tags[] = {0, 1, 32767, *upper - 1, *upper}, got[LENGTH(tags)];
    MPI_Request requests[LENGTH(tags)];
    for (int i = 0; i < LENGTH(tags); i++)
        if (rank == 0)
            MPI_Isend(&i, 1, MPI_INT, 1, tags[i], MPI_COMM_WORLD, &requests[i]),
                MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        else
            MPI_Irecv(&got[i], 1, MPI_INT, 0, tags[LENGTH(tags) - 1 - i], MPI_COMM_WORLD,
                      &requests[i]);
    if (rank == 1) {
        MPI_Waitall(LENGTH(tags), requests, MPI_STATUSES_IGNORE);
        say_ints("by tag, from the top", got, LENGTH(tags));
        for (int i = 0; i < LENGTH(tags); i++)
            CHECK(got[i] == LENGTH(tags) - 1 - i);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Send(&rank, 1, MPI_INT, 1 - rank, -3, MPI_COMM_WORLD);
    say("negative tag: class is tag %d", class_of(code) == MPI_ERR_TAG);
    if (*upper < 2147483647) {
        code = MPI_Send(&rank, 1, MPI_INT, 1 - rank, *upper + 1, MPI_COMM_WORLD);
        CHECK(class_of(code) == MPI_ERR_TAG);
    }
    return finish();
}
