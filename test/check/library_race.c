/*
 * A shared library that uses a buffer too early; the user can do nothing about that.
 *
 * library: yes
 * check: -n 1: buffer-race note HERE
 */
#include <mpi.h>

#ifdef LIBRARY
void use(void)
{
    static int v;
    MPI_Request request;
    MPI_Irecv(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* HERE */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}
#else
void use(void);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    use();
    MPI_Finalize();
    return 0;
}
#endif
