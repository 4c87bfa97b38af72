/*
 * Memory that a rank wants to share, while nobody is there who could see it, is its own: the rank is copied with it, and its
 * histories are merged.  It counts messages, which come in any order: anonymous memory, and System V memory of a rank that has its
 * node for itself.  In the twins with `wrong` the order shows.
 *
 * It is shared as soon as somebody is there: a child, which is made in several ways; a second view of the same memory; another rank of the
 * same node.  Another node has no such memory.
 *
 * check: -n 4 -- anonymous: none
 * runs: -n 4 -- anonymous: 6, merged 1
 * not assumed: -n 4 -- anonymous: copies
 * check: -n 4 -- anonymous wrong: exit-code error -
 * runs: -n 4 -- anonymous wrong: 6, merged 2
 * check: -n 4 --nodes=4x1 -- segment: none
 * runs: -n 4 --nodes=4x1 -- segment: 6, merged 1
 * not assumed: -n 4 --nodes=4x1 -- segment: copies
 * check: -n 4 --nodes=4x1 -- segment wrong: exit-code error -
 * runs: -n 4 --nodes=4x1 -- segment wrong: 6, merged 2
 * check: -n 4 -- fork: none
 * runs: -n 4 -- fork: 6, merged 1
 * assumed: -n 4 -- fork: copies: rank 0 was not copied but run again from the start, and nothing was merged any more, because it has memory that processes share
 * check: -n 3 -- raw_fork: none
 * runs: -n 3 -- raw_fork: 2, merged 1
 * check: -n 3 -- clone: none
 * runs: -n 3 -- clone: 2, merged 1
 * check: -n 3 -- moved: none
 * runs: -n 3 -- moved: 2, merged 1
 * check: -n 3 --nodes=3x1 -- segment_fork: none
 * runs: -n 3 --nodes=3x1 -- segment_fork: 2, merged 1
 * check: -n 3 --nodes=3x1 -- segment_late: none
 * runs: -n 3 --nodes=3x1 -- segment_late: 2, merged 1
 * check: -n 3 --nodes=3x1 -- segment_twice: none
 * runs: -n 3 --nodes=3x1 -- segment_twice: 2, merged 1
 * check: -n 3 --nodes=3x1 -- segment_kept: none
 * runs: -n 3 --nodes=3x1 -- segment_kept: 2, merged 1
 * check: -n 2 -- ranks: none
 * runs: -n 2 -- ranks: 1, merged 1
 * check: -n 2 --nodes=2x1 -- ranks: exit-code error -
 * runs: -n 2 --nodes=2x1 -- ranks: 1, merged 1
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "take_one.h"

enum { BYTES = 3 * 4096, ADDED = 40 };

static const char *kind;
static int *counter, id = -1;

static bool is(const char *word)
{
    return strcmp(kind, word) == 0;
}

static void make_memory(void)
{
    if (strncmp(kind, "segment", 7) != 0) {
        counter = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        return;
    }
    id = shmget(IPC_PRIVATE, BYTES, IPC_CREAT | 0600);
    if (!is("segment_late"))
        counter = shmat(id, NULL, 0);
    if (!is("segment_late") && !is("segment_kept"))
        shmctl(id, IPC_RMID, NULL);
}

static int add_in_child(void *unused)
{
    (void)unused;
    if (is("segment_late"))
        counter = shmat(id, NULL, 0);
    counter[0] += ADDED;
    return 0;
}

/* Returns how much somebody else has added. */
static int let_others_add(void)
{
    static char stack[1 << 16];
    pid_t child = -1;
    if (is("fork") || is("segment_fork") || is("segment_late"))
        child = fork();
    else if (is("raw_fork"))
        child = (pid_t)syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
    else if (is("clone"))
        child = clone(add_in_child, stack + sizeof stack, SIGCHLD, NULL);
    if (child == 0)
        _exit(add_in_child(NULL));
    if (child > 0)
        waitpid(child, NULL, 0);
    if (is("segment_late")) {
        counter = shmat(id, NULL, 0);
        shmctl(id, IPC_RMID, NULL);
    }
    return child > 0 ? ADDED : 0;
}

/* Another view of the same memory. */
static int look_elsewhere(void)
{
    int *view = NULL;
    if (is("moved"))
        view = mremap(counter, 0, BYTES, MREMAP_MAYMOVE);
    else if (is("segment_twice"))
        view = shmat(id, NULL, SHM_RDONLY);
    if (view)
        counter[1] = 7;
    return view && view[1] != 7;
}

/* What was put away is there again. */
static int detach_and_attach(void)
{
    struct shmid_ds state;
    if (!is("segment_kept"))
        return 0;
    counter[2] = 9;
    shmdt(counter);
    int bad = shmctl(id, IPC_STAT, &state) != 0 || state.shm_nattch != 0 || state.shm_segsz != BYTES;
    counter = shmat(id, NULL, 0);
    shmctl(id, IPC_RMID, NULL);
    return bad || counter[2] != 9 || shmctl(id, IPC_STAT, &state) != 0 || state.shm_nattch != 1;
}

static int count_messages(int ranks, bool wrong)
{
    make_memory();
    int bad = look_elsewhere() | detach_and_attach(), first = take_one();
    int added = let_others_add();
    ++*counter;
    for (int i = 2; i < ranks; i++) {
        take_one();
        ++*counter;
    }
    bad |= *counter != ranks - 1 + added;
    return bad | (wrong && first == 2);
}

static int meet_in_memory(int rank)
{
    int *there = NULL;
    if (rank == 0) {
        id = shmget(IPC_PRIVATE, BYTES, IPC_CREAT | 0600);
        there = shmat(id, NULL, 0);
        shmctl(id, IPC_RMID, NULL); /* it is there until nobody has it attached */
    }
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1 && (there = shmat(id, NULL, 0)) != (void *)-1)
        *there = ADDED;
    MPI_Barrier(MPI_COMM_WORLD);
    return there == (void *)-1 || *there != ADDED;
}

int main(int argc, char **argv)
{
    int rank, ranks, bad = 0;

    kind = argv[1];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (is("ranks"))
        bad = meet_in_memory(rank);
    else if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else
        bad = count_messages(ranks, argc > 2);
    MPI_Finalize();
    return bad;
}
