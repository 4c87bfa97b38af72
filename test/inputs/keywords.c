/*
 * Rank 0 reads an input of keywords and values.  If it is to restart with the multigrid solver, it waits for everybody before the others do,
 * which with -DWRONG they never do.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

struct settings {
    char solver[32], restart[32];
};

static void read_settings(FILE *stream, struct settings *settings)
{
    char name[32], value[32];
    while (fscanf(stream, "%31s %31s", name, value) == 2) {
        if (strcmp(name, "solver") == 0)
            strcpy(settings->solver, value);
        if (strcmp(name, "restart") == 0)
            strcpy(settings->restart, value);
    }
}

int main(int argc, char **argv)
{
    struct settings settings = {"", ""};
    int rank, restart = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *stream = fopen(argv[argc - 1], "r");
    if (stream) {
        read_settings(stream, &settings);
        fclose(stream);
    }
    if (strcmp(settings.solver, "multigrid") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        restart = strcmp(settings.restart, "checkpoint.0001") == 0;
    }
#ifdef WRONG
    restart = restart && rank == 0;
#endif
    if (restart)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
