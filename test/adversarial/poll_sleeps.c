/*
 * Rank 0 asks for a message and sleeps in between: longer each time, until it has slept for two seconds, by a counter that
 * it keeps itself or, with `clock`, by a clock.  Then it does without the message, which is lost.  With `ever` it does not give up,
 * and neither with `years`, unless the clock comes to times that a number of nanoseconds in 64 bits does not hold: these are no times.
 *
 * check: -n 2 -- counter: lost-message warning SENT
 * check: -n 2 -- counter: buffering-deadlock error SENT
 * runs: -n 2 -- counter: 3, merged 2
 * check: -n 2 -- clock: lost-message warning SENT
 * check: -n 2 -- clock: buffering-deadlock error SENT
 * runs: -n 2 -- clock: 3, merged 2
 * check: -n 2 -- ever: none
 * runs: -n 2 -- ever: 1, merged 1
 * check: -n 2 -- years: none
 * runs: -n 2 -- years: 1, merged 1
 */
#include <mpi.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    const double end_of_time = 9.2e9; /* seconds: 292 years */
    int rank, value = 0, seen = 0, clock, ever, years;
    double slept = 0, start;
    useconds_t step = 1000;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    clock = strcmp(argv[1], "clock") == 0;
    years = strcmp(argv[1], "years") == 0;
    ever = years || strcmp(argv[1], "ever") == 0;
    if (rank == 1) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* SENT */
    } else {
        start = clock ? now() : 0;
        while (!seen && (clock ? now() - start : slept) < 2) {
            usleep(step);
            if (years && now() > end_of_time)
                return 3;
            if (!ever) {
                slept += step * 1e-6;
                step += step / 8;
            }
            MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &seen, MPI_STATUS_IGNORE); /* ASKS */
        }
        if (seen)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
