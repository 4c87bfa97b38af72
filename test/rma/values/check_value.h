/* What programs here have in common: a condition that must hold, and how the program ends if it does not. */
#include <stdio.h>

static int rank, size, bad;

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            printf("rank %d, line %d: not %s\n", rank, __LINE__, #condition);     \
            bad = 1;                                                              \
        }                                                                         \
    } while (0)

static void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static int end(void)
{
    MPI_Finalize();
    return bad;
}
