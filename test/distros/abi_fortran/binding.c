/*
 * Bindings for Fortran over the binary interface of MPI 5, as far as program.f90 calls them: mpifort_abi, as the standard calls such
 * a library, which neither MPICH 5.0 nor Open MPI 6.0 has.  Handles of Fortran are the numbers that the interface gives for its own.
 */
#include <mpi.h>

void mpi_init_(int *error)
{
    *error = MPI_Init(0, 0);
}

void mpi_finalize_(int *error)
{
    *error = MPI_Finalize();
}

void mpi_comm_rank_(const int *comm, int *rank, int *error)
{
    *error = MPI_Comm_rank(MPI_Comm_fromint(*comm), rank);
}

void mpi_comm_dup_(const int *comm, int *made, int *error)
{
    MPI_Comm copy;
    *error = MPI_Comm_dup(MPI_Comm_fromint(*comm), &copy);
    *made = MPI_Comm_toint(copy);
}

void mpi_comm_free_(int *comm, int *error)
{
    MPI_Comm freed = MPI_Comm_fromint(*comm);
    *error = MPI_Comm_free(&freed);
    *comm = MPI_Comm_toint(freed);
}

void mpi_send_(const void *buffer, const int *count, const int *type, const int *to, const int *tag, const int *comm, int *error)
{
    *error = MPI_Send(buffer, *count, MPI_Type_fromint(*type), *to, *tag, MPI_Comm_fromint(*comm));
}

void mpi_recv_(void *buffer, const int *count, const int *type, const int *from, const int *tag, const int *comm, MPI_Status *status,
               int *error)
{
    *error = MPI_Recv(buffer, *count, MPI_Type_fromint(*type), *from, *tag, MPI_Comm_fromint(*comm), status);
}

void mpi_irecv_(void *buffer, const int *count, const int *type, const int *from, const int *tag, const int *comm, int *request, int *error)
{
    MPI_Request made;
    *error = MPI_Irecv(buffer, *count, MPI_Type_fromint(*type), *from, *tag, MPI_Comm_fromint(*comm), &made);
    *request = MPI_Request_toint(made);
}

void mpi_wait_(int *request, MPI_Status *status, int *error)
{
    MPI_Request waited = MPI_Request_fromint(*request);
    *error = MPI_Wait(&waited, status);
    *request = MPI_Request_toint(waited);
}

void mpi_allreduce_(const void *in, void *out, const int *count, const int *type, const int *op, const int *comm, int *error)
{
    *error = MPI_Allreduce(in, out, *count, MPI_Type_fromint(*type), MPI_Op_fromint(*op), MPI_Comm_fromint(*comm));
}
