/*
 * When may the buffers be touched ([Palmer 2007], question 2)?  As soon
 * as a test or a wait says so.  Each side's test may say yes or no, independently of
 * the other's: four runs, and in all of them the right value arrives.
 *
 * explore: -n 2 infinite: runs 4 clean 4
 * explore: -n 2 zero: runs 4 clean 4
 */
#include <assert.h>
#include <mpi.h>

static void finish(MPI_Request *request)
{
    int flag;
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    if (!flag)
        MPI_Wait(request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, value = 6;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Issend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        finish(&request);
        value = 3;
    } else {
        value = 0;
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        finish(&request);
        assert(value == 6);
    }
    MPI_Finalize();
    return 0;
}
