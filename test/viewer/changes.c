/*
 * A deadlock in a program that is not the same when it is started again: it notices by a file.  Then it
 * calls from another line, or takes its time.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int touch(const char *name)
{
    int is_there = access(name, F_OK) == 0;
    FILE *file = fopen(name, "w");
    if (file)
        fclose(file);
    return is_there;
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
    int again = touch(name);
    puts("the program prints");
    if (again && strcmp(argv[1], "late") == 0) {
        touch("late.now");
        pause(); /* sleep() would take no time */
    }
    receive(1 - rank, again);
    MPI_Finalize();
    return 0;
}
