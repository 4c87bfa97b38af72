/*
 * A rank is killed with SIGKILL: once, in the middle, by another process, which is no doing of the program's, so it is
 * tried again; always, so that nobody knows what it would do; or by itself, which is its end.
 *
 * check: -n 3 -- once: none
 * runs: -n 3 -- once: 2, merged 1
 * check: -n 3 -- always: incomplete
 * runs: -n 3 -- always: 2, merged 2
 * check: -n 3 -- itself: crash error -
 * runs: -n 3 -- itself: 2, merged 2
 * check: -n 3 -- raised: crash error -
 * runs: -n 3 -- raised: 2, merged 2
 */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A shell does it, and would be killed by nobody. */
static void be_killed(void)
{
    if (system("kill -9 $PPID") != 0)
        exit(1);
    pause();
}

/* Whoever comes first marks the folder, and is killed; the next one takes the mark away.  A file would be told of as it was. */
static int is_first(void)
{
    struct stat folder;
    stat(getenv("FOLDER"), &folder);
    chmod(getenv("FOLDER"), folder.st_mode ^ S_IXOTH);
    return !(folder.st_mode & S_IXOTH);
}

int main(int argc, char **argv)
{
    int rank, first;
    const char *how = argv[1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (strcmp(how, "always") == 0 || (strcmp(how, "once") == 0 && is_first()))
            be_killed();
        if (strcmp(how, "itself") == 0 && first == 2)
            kill(getpid(), SIGKILL);
        if (strcmp(how, "raised") == 0 && first == 2)
            raise(SIGKILL);
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
