/*
 * A deadlock in a program that is not the same when it is started again: it notices by the length of a file, which was there before the
 * search, and empty.  Then it calls from another line, or takes its time.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int has_been_written(const char *name)
{
    struct stat before = {0};
    stat(name, &before);
    FILE *file = fopen(name, "w");
    fputs("now", file);
    fclose(file);
    return before.st_size > 0;
}

static void receive(int source, int again)
{
    int v;
    if (again)
        MPI_Recv(&v, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Recv(&v, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    char name[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    int again = has_been_written(name);
    puts("the program prints");
    if (again && strcmp(argv[1], "late") == 0) {
        has_been_written("late.now");
        pause(); /* sleep() would take no time */
    }
    receive(1 - rank, again);
    MPI_Finalize();
    return 0;
}
