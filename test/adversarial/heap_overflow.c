/*
 * Buffers that are larger than the block of malloc that they begin in.  Most of them stay within what malloc rounds up
 * to, so that nothing else would ever show it.
 *
 * check: -n 2 -- malloc: buffer-overflow error SEND
 * runs: -n 2 -- malloc: 1, merged 1
 * check: -n 2 -- rounded: buffer-overflow error SEND
 * runs: -n 2 -- rounded: 1, merged 1
 * check: -n 2 -- interior: buffer-overflow error SEND
 * runs: -n 2 -- interior: 1, merged 1
 * check: -n 2 -- calloc: buffer-overflow error SEND
 * runs: -n 2 -- calloc: 1, merged 1
 * check: -n 2 -- realloc: buffer-overflow error SEND
 * runs: -n 2 -- realloc: 1, merged 1
 * check: -n 2 -- aligned: buffer-overflow error SEND
 * runs: -n 2 -- aligned: 1, merged 1
 * check: -n 2 -- posix: buffer-overflow error SEND
 * runs: -n 2 -- posix: 1, merged 1
 * check: -n 2 -- strdup: buffer-overflow error SEND
 * runs: -n 2 -- strdup: 1, merged 1
 * check: -n 2 -- large: buffer-overflow error SEND
 * runs: -n 2 -- large: 1, merged 1
 * check: -n 2 -- freed: buffer-overflow error SEND
 * runs: -n 2 -- freed: 1, merged 1
 * check: -n 2 -- below: buffer-overflow error SEND
 * runs: -n 2 -- below: 1, merged 1
 * check: -n 2 -- column: buffer-overflow error SEND
 * runs: -n 2 -- column: 1, merged 1
 * check: -n 2 -- receive: buffer-overflow error RECV
 * runs: -n 2 -- receive: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, count = 10, *data = NULL;
    MPI_Datatype type = MPI_INT;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *how = argv[1];
    if (!strcmp(how, "malloc"))
        data = malloc(8 * sizeof(int));
    if (!strcmp(how, "rounded") || !strcmp(how, "receive"))
        data = malloc(9 * sizeof(int));
    if (!strcmp(how, "interior"))
        data = (int *)malloc(29 * sizeof(int)) + 20;
    if (!strcmp(how, "calloc"))
        data = calloc(9, sizeof(int));
    if (!strcmp(how, "realloc"))
        data = realloc(malloc(100), 9 * sizeof(int));
    if (!strcmp(how, "aligned"))
        data = aligned_alloc(64, 9 * sizeof(int));
    if (!strcmp(how, "posix"))
        posix_memalign((void **)&data, 4096, 9 * sizeof(int));
    if (!strcmp(how, "strdup"))
        data = (int *)strdup("thirty-six letters make nine numbers");
    if (!strcmp(how, "large"))
        data = (int *)malloc(50000001 * sizeof(int)) + 49999992;
    if (!strcmp(how, "freed")) {
        char *block[64];

        for (int i = 0; i < 64; i++)
            block[i] = malloc(30000 * sizeof(int));
        for (int i = 0; i < 64; i++)
            if (i != 40)
                free(block[i]);
        data = (int *)block[40] + 29991;
    }
    if (!strcmp(how, "below")) {
        data = (int *)malloc(40 * sizeof(int)) + 8;
        MPI_Type_create_resized(MPI_INT, 0, -(MPI_Aint)sizeof(int), &type);
    }
    if (!strcmp(how, "column")) {
        data = malloc(4 * 5 * sizeof(int));
        count = 1;
        MPI_Type_vector(5, 1, 5, MPI_INT, &type);
    }
    if (type != MPI_INT)
        MPI_Type_commit(&type);
    if (rank == 0 && strcmp(how, "receive"))
        MPI_Send(data, count, type, 1, 0, MPI_COMM_WORLD); /* SEND */
    else if (rank == 0)
        MPI_Send(data, 9, type, 1, 0, MPI_COMM_WORLD);
    else if (strcmp(how, "receive")) {
        static int room[10];
        MPI_Recv(room, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else
        MPI_Recv(data, count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECV */
    if (type != MPI_INT)
        MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
