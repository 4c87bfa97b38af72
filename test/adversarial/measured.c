/*
 * Rank 0 goes by what its MPI library has measured: how many messages wait for a receive.  The library below a rank has none, and so the
 * receive from the wrong rank, which a job may come to, is not.  That stands in the verdict.  MPICH, as Debian 12 has it, measures nothing.
 *
 * mpi: openmpi
 * check: -n 2: none
 * runs: -n 2: 1, merged 1
 * assumed: -n 2: measurements: which is a single process and has no messages
 */
#include <mpi.h>
#include <stddef.h>

static unsigned long waiting_messages(void)
{
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    MPI_Comm world = MPI_COMM_WORLD;
    unsigned long length = 0;
    int index, count;

    if (MPI_T_pvar_get_index("pml_ob1_unexpected_msgq_length", MPI_T_PVAR_CLASS_SIZE, &index) != MPI_SUCCESS)
        return 0;
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_handle_alloc(session, index, &world, &handle, &count);
    MPI_T_pvar_read(session, handle, &length);
    MPI_T_pvar_handle_free(session, &handle);
    MPI_T_pvar_session_free(&session);
    return length;
}

int main(int argc, char **argv)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int rank, provided;

    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&rank, 1, MPI_INT, waiting_messages() > 0 ? 0 : 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    MPI_T_finalize();
    return 0;
}
