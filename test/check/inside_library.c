/*
 * What a shared library makes for itself and keeps is its own affair, but a request
 * that is still active is noted.
 *
 * library: yes
 * check: -n 1: request-leak note REQUEST
 */
#include <mpi.h>

#ifdef LIBRARY
void keep(void)
{
    static int v, w;
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Irecv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* REQUEST */
    MPI_Send(&w, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}
#else
void keep(void);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    keep();
    MPI_Finalize();
    return 0;
}
#endif
