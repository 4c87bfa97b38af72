/* Ends badly, with a communicator whose name would like to be part of the page. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int v = 0;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "</script><img src=x onerror=alert(1)>\\u003c\"'&");
    MPI_Recv(&v, 1, MPI_INT, 0, 3, comm, MPI_STATUS_IGNORE); /* "\x3c</script><!-- <script> */
    MPI_Finalize();
    return 0;
}
