/* ARMCI, what Global Arrays stand on, over windows of MPI: blocks, sums, a counter, and a mutex that is made of atomic accesses. */
#include <armci.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 8 };

static int rank, size;

static double sum_of(const double *number)
{
    double sum = 0;
    for (int i = 0; i < NUMBERS; i++)
        sum += number[i];
    return sum;
}

/* To the right neighbour, and back from there. */
static void move_blocks(void **part)
{
    double block[NUMBERS], back[NUMBERS];
    int right = (rank + 1) % size;
    for (int i = 0; i < NUMBERS; i++)
        block[i] = rank * NUMBERS + i;
    ARMCI_Put(block, part[right], sizeof block, right);
    ARMCI_Barrier();
    ARMCI_Get(part[right], back, sizeof back, right);
    printf("rank %d: %g there, %g here\n", rank, sum_of(back), sum_of(part[rank]));
    ARMCI_Barrier();
}

static void add_up(void **part)
{
    double scale = 2, block[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        block[i] = rank + 1;
    ARMCI_Acc(ARMCI_ACC_DBL, &scale, block, part[0], sizeof block, 0);
    ARMCI_Barrier();
    if (rank == 0)
        printf("rank 0: %g after sums\n", sum_of(part[0]));
    ARMCI_Barrier();
}

static void draw_tickets(void **counter)
{
    long drawn = -1, all;
    ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &drawn, counter[0], 1, 0);
    MPI_Reduce(&drawn, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("rank 0: tickets %ld\n", all);
    ARMCI_Barrier();
}

static void count_under_mutex(void **counter)
{
    long value;
    ARMCI_Create_mutexes(rank == 0 ? 1 : 0);
    ARMCI_Lock(0, 0);
    ARMCI_Get(counter[size - 1], &value, sizeof value, size - 1);
    value += 10;
    ARMCI_Put(&value, counter[size - 1], sizeof value, size - 1);
    ARMCI_Fence(size - 1);
    ARMCI_Unlock(0, 0);
    ARMCI_Barrier();
    ARMCI_Get(counter[size - 1], &value, sizeof value, size - 1);
    printf("rank %d: counted %ld\n", rank, value);
    ARMCI_Destroy_mutexes();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    ARMCI_Init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    void **part = malloc((size_t)size * sizeof *part), **counter = malloc((size_t)size * sizeof *counter);
    if (!part || !counter || ARMCI_Malloc(part, NUMBERS * sizeof(double)) || ARMCI_Malloc(counter, NUMBERS * sizeof(long)))
        MPI_Abort(MPI_COMM_WORLD, 1);
    long zero = 0;
    ARMCI_Put(&zero, counter[rank], sizeof zero, rank);
    ARMCI_Barrier();
    move_blocks(part);
    add_up(part);
    draw_tickets(counter);
    ARMCI_Put(&zero, counter[rank], sizeof zero, rank);
    ARMCI_Barrier();
    count_under_mutex(counter);
    ARMCI_Free(part[rank]);
    ARMCI_Free(counter[rank]);
    free(part);
    free(counter);
    ARMCI_Finalize();
    MPI_Finalize();
    return 0;
}
