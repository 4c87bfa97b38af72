/*
 * Rank 0 has something that only the kernel knows when it waits for anybody.  Histories of it are not merged then, and it is
 * not run again to see whether it does the same, which the verdict says.
 *
 * check: -n 3 -- alarm: none
 * runs: -n 3 -- alarm: 2, merged 1
 * assumed: -n 3 -- alarm: merging: histories of rank 0 were not merged, because it has used a timer
 * assumed: -n 3 -- alarm: randomness: whether rank 0 does the same each time was not tried, because it has used a timer
 * check: -n 3 -- child: none
 * runs: -n 3 -- child: 2, merged 1
 * assumed: -n 3 -- child: merging: histories of rank 0 were not merged, because it has started a process or a thread
 * assumed: -n 3 -- child: randomness: not tried, because it has started a process or a thread
 * check: -n 3 -- pipe: none
 * runs: -n 3 -- pipe: 2, merged 1
 * assumed: -n 3 -- pipe: copies: run again from the start, and nothing was merged any more, because it has a pipe
 * assumed: -n 3 -- pipe: randomness: not tried, because it has used a pipe, a socket or a device
 * check: -n 3 -- memory: none
 * runs: -n 3 -- memory: 2, merged 1
 * assumed: -n 3 -- memory: merging: because it has changed what its memory may be used for
 * check: -n 3 -- streams: none
 * runs: -n 3 -- streams: 2, merged 1
 * assumed: -n 3 -- streams: merging: because it has put something else in place of its standard streams
 * check: -n 3 -- other: none
 * runs: -n 3 -- other: 2, merged 1
 * assumed: -n 3 -- other: merging: because it has made system calls whose effects tourney does not know
 * check: -n 3 -- nothing: none
 * runs: -n 3 -- nothing: 2, merged 1
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static int rank, got, ends[2];
static void *page;

static void begin(char how)
{
    switch (how) {
    case 'a': alarm(1000); break;
    case 'c': got = system(":"); break;
    case 'p': got = pipe(ends); break;
    case 'm':
        page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(page, 4096, PROT_READ);
        break;
    case 's': dup2(open("/dev/null", O_WRONLY), 1); break;
    case 'o': prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0); break;
    }
    got = 0;
}

/* What the last calls left on the stack would be in the frames of the next ones. */
static void wipe_stack(void)
{
    volatile char room[1 << 15];
    for (unsigned i = 0; i < sizeof room; i++)
        room[i] = 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        begin(argv[1][0]);
        for (int i = 0; i < 2; i++) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            got = 0;
            wipe_stack();
        }
        MPI_Recv(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
