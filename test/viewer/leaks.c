/* Every rank makes things that it does not put away: a communicator, two types and a request. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, out = 0, in;
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm); /* COMM */
    for (int i = 1; i <= 2; i++) {
        MPI_Type_contiguous(i, MPI_INT, &type); /* TYPE */
        MPI_Type_commit(&type);
    }
    MPI_Isend(&out, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD, &request); /* REQUEST */
    MPI_Recv(&in, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
