/* Rank 0 waits for a message that nobody sends; rank 1 polls for one, or dies, as the argument says. */
#include <signal.h>
#include <string.h>

#include "figure.h"

int main(int argc, char **argv)
{
    int flag = 0;
    begin();
    if (rank == 0)
        recv_from(1);
    if (argc > 1 && strcmp(argv[1], "kill") == 0)
        raise(SIGKILL);
    if (argc > 1 && strcmp(argv[1], "crash") == 0)
        raise(SIGSEGV);
    while (!flag)
        MPI_Iprobe(0, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
