/*
 * Rank 0 listens at a socket, tells its port to all others, who connect there, and makes an intercommunicator of each connection that it accepts, as many as its
 * argument says (MPI_Comm_join).  Who asks first where somebody listens, and who is accepted first, are choices: k! times k! runs for k that connect.  With one
 * accept more than connects it waits for ever.
 *
 * explore: -n 2 infinite -- 1: runs 1 clean 1
 * explore: -n 2 zero -- 1: runs 1 clean 1
 * explore: -n 2 any -- 1: runs 1 clean 1
 * explore: -n 3 infinite -- 2: runs 4 clean 4
 * explore: -n 2 infinite -- 2: runs 1 deadlock 1
 */
#include <arpa/inet.h>
#include <mpi.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int rank, value;

static void join(int fd)
{
    MPI_Comm other;
    MPI_Comm_join(fd, &other);
    MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_SUM, other);
    MPI_Comm_disconnect(&other);
    close(fd);
}

int main(int argc, char **argv)
{
    int accepts = argc > 1 ? atoi(argv[1]) : 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof address;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && (bind(fd, (struct sockaddr *)&address, bytes) || listen(fd, 8) || getsockname(fd, (struct sockaddr *)&address, &bytes)))
        return 2;
    MPI_Bcast(&address, sizeof address, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < accepts; i++)
        join(accept(fd, NULL, NULL));
    if (rank && connect(fd, (struct sockaddr *)&address, bytes))
        return 3;
    if (rank)
        join(fd);
    else
        close(fd);
    MPI_Finalize();
    return 0;
}
