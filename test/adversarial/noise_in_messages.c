/*
 * What ranks send is not the same each time they are run: they have it from the kernel, past the C library.  What they call does not depend on it, so
 * that is no reason to give up; the verdict says what was taken for granted.  With `pipe` ranks cannot be copied, and are run again
 * from their start each time.  With `crash` a rank dies, which it does from a fresh start, too, whatever it has sent.
 *
 * check: -n 3: none
 * runs: -n 3: 4, merged 4
 * check: -n 3 -- pipe: none
 * runs: -n 3 -- pipe: 4, merged 4
 * assumed: -n 3 -- pipe: randomness: was taken to be what it was the first time, although it was not the same
 * check: -n 2 -- crash: crash error DIES
 * runs: -n 2 -- crash: 1, merged 1
 * assumed: -n 2 -- crash: randomness: its bytes 0 to 7, of 32, were
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void draw(char *noise)
{
    FILE *file = fopen("/proc/sys/kernel/random/uuid", "r");
    if (!file || fread(noise, 1, 32, file) != 32)
        abort();
    fclose(file);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    char noise[32];
    int rank, size, ends[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(how, "pipe") == 0 && pipe(ends) < 0)
        return 1;
    for (int round = 0; round < 2; round++) {
        draw(noise);
        if (rank != 0)
            MPI_Send(noise, sizeof noise, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        if (rank == 1 && strcmp(how, "crash") == 0)
            abort(); /* DIES */
        for (int i = 1; i < size && rank == 0; i++)
            MPI_Recv(noise, sizeof noise, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bcast(noise, sizeof noise, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
