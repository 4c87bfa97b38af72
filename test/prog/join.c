/*
 * Two ranks that have a socket in common make an intercommunicator of it.
 *
 * run: -n 2
 * compare: none
 */
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "check.h"

static struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "join.socket"};

static int listen_there(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0);
    return fd;
}

int main(int argc, char **argv)
{
    int fd, other_end, number = 0;
    MPI_Comm joined;
    begin(&argc, &argv);
    fd = rank == 0 ? listen_there() : socket(AF_UNIX, SOCK_STREAM, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        CHECK(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    other_end = rank == 0 ? accept(fd, NULL, NULL) : fd;
    MPI_Comm_join(other_end, &joined);
    MPI_Allreduce(&rank, &number, 1, MPI_INT, MPI_SUM, joined);
    CHECK(number == !rank);
    MPI_Comm_disconnect(&joined);
    close(fd);
    return finish();
}
