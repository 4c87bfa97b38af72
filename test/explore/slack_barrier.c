/*
 * slack.c with barriers ([Vakkalanka 2009], Fig. 1(b)): they order what is issued,
 * not what matches, so with buffering the two
 * sends still compete for rank 2's wildcard, and taking rank 0's is a deadlock.
 * Without, rank 0 waits for rank 1's receive, and rank 1 in the barrier for rank 0.
 * If just rank 1's send is not buffered, it waits for rank 2, which is stuck.
 *
 * explore: -n 3 infinite: runs 2 clean 1 deadlock 1
 * explore: -n 3 zero: runs 1 deadlock 1
 * explore: -n 3 any: runs 2 clean 1 deadlock 1 cuts 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        MPI_Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Isend(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 1:
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Isend(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 2:
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    }
    MPI_Finalize();
    return 0;
}
