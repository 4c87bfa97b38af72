/*
 * The program has changed stacks: what is below the stack pointer is not dead.  A function that waits for its turn keeps
 * in a variable who came first, while a coroutine with its stack at a higher address waits for a message.  Both stacks
 * are in the heap, or that of the coroutine is an array on the stack of main().
 *
 * check: -n 3 -- heap: crash error HEAP
 * runs: -n 3 -- heap: 2, merged 2
 * check: -n 3 -- stack: crash error STACK
 * runs: -n 3 -- stack: 2, merged 2
 * check: -n 3 -- heap right: none
 * runs: -n 3 -- heap right: 2, merged 1
 * check: -n 3 -- stack right: none
 * runs: -n 3 -- stack right: 2, merged 1
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { STACK = 1 << 17 };

static ucontext_t first, upper, lower;
static int got, right;

static int hear(int source, int tag)
{
    int who;

    MPI_Recv(&got, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    who = got;
    got = 0;
    return who;
}

/* Both orders are over: its return value is all that knows. */
static int order(void)
{
    int who = hear(MPI_ANY_SOURCE, 0);

    hear(MPI_ANY_SOURCE, 0);
    return right ? 0 : who;
}

static void wait_for_last(void)
{
    hear(1, 1);
    swapcontext(&upper, &lower);
}

static void keep_in_heap(void)
{
    volatile int who = order();

    swapcontext(&lower, &upper);
    who = 6 / (who - 2); /* HEAP */
    swapcontext(&lower, &first);
}

static void keep_on_stack(void)
{
    volatile int who = order();

    swapcontext(&lower, &upper);
    who = 6 / (who - 2); /* STACK */
}

static void make(ucontext_t *context, char *stack, void (*function)(void))
{
    getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = STACK;
    context->uc_link = &first;
    makecontext(context, function, 0);
}

int main(int argc, char **argv)
{
    char array[STACK];
    int rank;

    right = argc > 2;
    memset(array, 0, sizeof array);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else if (strcmp(argv[1], "heap") == 0) {
        char *room = calloc(2, STACK);
        make(&upper, room + STACK, wait_for_last);
        make(&lower, room, keep_in_heap);
        swapcontext(&first, &lower);
        free(room);
    } else {
        make(&upper, array, wait_for_last);
        keep_on_stack();
    }
    MPI_Finalize();
    return 0;
}
