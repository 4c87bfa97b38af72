/*
 * Random numbers come from a device: the same whenever the rank is run again.
 *
 * check: -n 1: none
 * runs: -n 1: 1, merged 1
 * check: -n 1 -- right: none
 * runs: -n 1 -- right: 1, merged 1
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

static unsigned draw(void)
{
    unsigned number = 0;
    int device = open("/dev/urandom", O_RDONLY);

    if (read(device, &number, sizeof number) != sizeof number)
        number = 0;
    close(device);
    return number;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    unsigned chance = draw();
    for (unsigned i = 0; argc == 1 && i < chance % 64; i++)
        MPI_Barrier(MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
