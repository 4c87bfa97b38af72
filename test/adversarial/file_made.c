/*
 * Something is there by its name, or no more: made, or removed, if rank 2 came first.  Nothing in the memory of rank 0
 * tells, only the file system does.  Its name is of this search, and rank 0 clears up before it ends: its copies share
 * the file system, and would find what others have left.
 *
 * check: -n 3 -- mkdir: crash error CRASH
 * runs: -n 3 -- mkdir: 2, merged 2
 * check: -n 3 -- creat: crash error CRASH
 * runs: -n 3 -- creat: 2, merged 2
 * check: -n 3 -- exclusive: crash error CRASH
 * runs: -n 3 -- exclusive: 2, merged 2
 * check: -n 3 -- symlink: crash error CRASH
 * runs: -n 3 -- symlink: 2, merged 2
 * check: -n 3 -- unlink: crash error CRASH
 * runs: -n 3 -- unlink: 2, merged 2
 * check: -n 3 -- rename: crash error CRASH
 * runs: -n 3 -- rename: 2, merged 2
 * check: -n 3 -- nothing: none
 * runs: -n 3 -- nothing: 2, merged 1
 * assumed: -n 3 -- nothing: files: rank 0 made, changed or removed files, which all ranks and runs share
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int rank, got, failed;
static char how, name[64], other[64];

static void prepare(void)
{
    snprintf(name, sizeof name, "/tmp/file_made.%c.%d", how, (int)getppid());
    snprintf(other, sizeof other, "%s.other", name);
    if (how == 'u' || how == 'r')
        close(creat(name, 0600));
}

static void change(void)
{
    switch (how) {
    case 'm': failed = mkdir(name, 0700); break;
    case 'c': failed = close(creat(name, 0600)); break;
    case 'e': failed = close(open(name, O_CREAT | O_EXCL | O_WRONLY, 0600)); break;
    case 's': failed = symlink("/", name); break;
    case 'u': failed = unlink(name); break;
    case 'r': failed = rename(name, other); break;
    }
    failed = 0;
}

static void check(void)
{
    int there = access(name, F_OK) == 0;
    volatile int unchanged = how == 'u' || how == 'r' ? there : !there;
    remove(name);
    remove(other);
    unchanged = 6 / unchanged; /* CRASH */
}

/* What the last calls left on the stack would be in the frames of the next ones. */
static void wipe_stack(void)
{
    volatile char room[1 << 15];
    for (unsigned i = 0; i < sizeof room; i++)
        room[i] = 0;
}

static void hear(int i)
{
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (i == 0 && got == 2)
        change();
    got = 0;
    wipe_stack();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    how = argv[1][0];
    if (rank == 0) {
        prepare();
        for (int i = 0; i < 2; i++)
            hear(i);
        MPI_Recv(&got, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check();
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
