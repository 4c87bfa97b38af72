/*
 * pi -- a master deals out slices of an integral, and takes results from
 * whichever worker has one (MPI_ANY_SOURCE).  Correct.
 *
 *   mpicc -g pi.c -o pi && tourney run -n 4 ./pi
 *
 * It prints pi, as it does under mpiexec.
 */
#include <mpi.h>
#include <stdio.h>

enum { TAG_SLICE = 1, TAG_RESULT = 2, SLICES = 20, STEPS = 10000, STOP = -1 };

/* The part of the integral of 4/(1+x*x) over [0,1] that lies in one slice. */
static double integrate(int slice)
{
    double width = 1.0 / SLICES / STEPS, sum = 0;
    for (int i = 0; i < STEPS; i++) {
        double x = (double)slice / SLICES + (i + 0.5) * width;
        sum += 4 / (1 + x * x) * width;
    }
    return sum;
}

static void give(int worker, int slice)
{
    MPI_Send(&slice, 1, MPI_INT, worker, TAG_SLICE, MPI_COMM_WORLD);
}

static double master(int workers)
{
    double pi = 0, part;
    MPI_Status status;
    int next = 0;
    for (int w = 1; w <= workers; w++)
        give(w, next < SLICES ? next++ : STOP);
    for (int done = 0; done < SLICES; done++) {
        MPI_Recv(&part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_RESULT, MPI_COMM_WORLD, &status);
        pi += part;
        give(status.MPI_SOURCE, next < SLICES ? next++ : STOP);
    }
    return pi;
}

static void worker(void)
{
    int slice;
    for (;;) {
        MPI_Recv(&slice, 1, MPI_INT, 0, TAG_SLICE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (slice == STOP)
            return;
        double part = integrate(slice);
        MPI_Send(&part, 1, MPI_DOUBLE, 0, TAG_RESULT, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2) {
        fprintf(stderr, "pi needs a master and at least one worker: 2 ranks or more\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (rank == 0)
        printf("pi is about %.6f\n", master(size - 1));
    else
        worker();
    MPI_Finalize();
    return 0;
}
