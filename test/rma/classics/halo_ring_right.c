/*
 * A ring of ranks that exchange the ends of their parts by MPI_Win_post, start, complete and wait, three times.
 *
 * check: -n 3: none
 * runs: -n 3: 1, merged 1
 */
#include <mpi.h>

enum { LEFT_HALO, FIRST, LAST, RIGHT_HALO, PLACES, STEPS = 3 };

int main(int argc, char **argv)
{
    double part[PLACES];
    int rank, size, neighbour[2];
    MPI_Group all, neighbours;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    neighbour[0] = (rank + size - 1) % size;
    neighbour[1] = (rank + 1) % size;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, neighbour, &neighbours);
    part[LEFT_HALO] = part[RIGHT_HALO] = -1;
    part[FIRST] = part[LAST] = rank;
    MPI_Win_create(part, sizeof part, sizeof *part, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int step = 0; step < STEPS; step++) {
        MPI_Win_post(neighbours, 0, win);
        MPI_Win_start(neighbours, 0, win);
        MPI_Put(&part[FIRST], 1, MPI_DOUBLE, neighbour[0], RIGHT_HALO, 1, MPI_DOUBLE, win); /* TO_LEFT */
        MPI_Put(&part[LAST], 1, MPI_DOUBLE, neighbour[1], LEFT_HALO, 1, MPI_DOUBLE, win);   /* TO_RIGHT */
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        part[FIRST] = part[LAST] = (part[LEFT_HALO] + part[RIGHT_HALO]) / 2; /* MEAN */
    }
    MPI_Win_free(&win);
    MPI_Group_free(&neighbours);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
