/*
 * What many ranks do: halos on a grid, collectives, and a master that hears from any worker.  Each in
 * turn, ROUNDS times.  Prints `halo|collective|farm SECONDS PROCESSOR`: time of the slowest rank, and processor time
 * of all ranks together.
 *
 * usage: traffic ROUNDS
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { POINTS = 64, TASKS = 4, WORK = 1, ANSWER = 2 };

static int rank, size;

static void halo(MPI_Comm grid)
{
    double out[4][POINTS] = {{0}}, in[4][POINTS];
    MPI_Request request[8];
    int n = 0, before, behind;
    for (int side = 0; side < 4; side++) {
        MPI_Cart_shift(grid, side / 2, side % 2 ? -1 : 1, &before, &behind);
        MPI_Irecv(in[side], POINTS, MPI_DOUBLE, before, side, grid, &request[n++]);
        MPI_Isend(out[side], POINTS, MPI_DOUBLE, behind, side, grid, &request[n++]);
    }
    MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

static void collective(void)
{
    double mine = rank, sum, all[POINTS];
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < POINTS; i++)
        all[i] = sum;
    MPI_Bcast(all, POINTS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
}

/* Whoever answers gets the next task, until there are no more. */
static void master(void)
{
    int tasks = TASKS * (size - 1), sent = 0, answer;
    MPI_Status status;
    for (int worker = 1; worker < size; worker++, sent++)
        MPI_Send(&sent, 1, MPI_INT, worker, WORK, MPI_COMM_WORLD);
    for (int heard = 0; heard < tasks; heard++) {
        MPI_Recv(&answer, 1, MPI_INT, MPI_ANY_SOURCE, ANSWER, MPI_COMM_WORLD, &status);
        int next = sent < tasks ? sent++ : -1;
        MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, WORK, MPI_COMM_WORLD);
    }
}

static void worker(void)
{
    int task;
    for (;;) {
        MPI_Recv(&task, 1, MPI_INT, 0, WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (task < 0)
            return;
        MPI_Send(&task, 1, MPI_INT, 0, ANSWER, MPI_COMM_WORLD);
    }
}

static double processor(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

struct spent {
    const char *on;
    double seconds, processor;
};

static void begin(struct spent *spent)
{
    MPI_Barrier(MPI_COMM_WORLD);
    spent->seconds -= MPI_Wtime();
    spent->processor -= processor();
}

static void end(struct spent *spent)
{
    MPI_Barrier(MPI_COMM_WORLD);
    spent->seconds += MPI_Wtime();
    spent->processor += processor();
}

int main(int argc, char **argv)
{
    struct spent on_halo = {"halo", 0, 0}, on_collective = {"collective", 0, 0}, on_farm = {"farm", 0, 0};
    struct spent *all[] = {&on_halo, &on_collective, &on_farm};
    int dims[2] = {0}, periodic[2] = {1, 1}, rounds = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 0, &grid);
    for (int round = 0; round < rounds; round++) {
        begin(&on_halo);
        for (int i = 0; i < 10; i++)
            halo(grid);
        end(&on_halo);
        begin(&on_collective);
        for (int i = 0; i < 10; i++)
            collective();
        end(&on_collective);
        begin(&on_farm);
        rank == 0 ? master() : worker();
        end(&on_farm);
    }
    for (int i = 0; i < 3; i++) {
        double seconds, used;
        MPI_Reduce(&all[i]->seconds, &seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        MPI_Reduce(&all[i]->processor, &used, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%s %.6f %.6f\n", all[i]->on, seconds, used);
    }
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
