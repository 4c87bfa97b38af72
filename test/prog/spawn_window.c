/*
 * A window of which ranks are members that others have started: fences, locks and an atomic counter.
 *
 * run: -n 2
 * compare: openmpi
 * timeout: 120
 */
#include "check.h"

int main(int argc, char **argv)
{
    enum { CHILDREN = 2 };
    int *memory, number, members, one = 1, before;
    MPI_Comm other, all;
    MPI_Win window;
    begin(&argc, &argv);
    MPI_Comm_get_parent(&other);
    int child = other != MPI_COMM_NULL;
    if (!child)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
    MPI_Intercomm_merge(other, child, &all);
    MPI_Comm_rank(all, &number);
    MPI_Comm_size(all, &members);
    MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, all, &memory, &window);
    memory[0] = memory[1] = 0;
    MPI_Win_fence(0, window);
    MPI_Put(&number, 1, MPI_INT, (number + 1) % members, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    CHECK(memory[0] == (number + members - 1) % members);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, members - 1, 0, window);
    MPI_Fetch_and_op(&one, &before, MPI_INT, members - 1, 1, MPI_SUM, window);
    MPI_Win_unlock(members - 1, window);
    CHECK(before >= 0 && before < members);
    MPI_Barrier(all);
    MPI_Win_lock(MPI_LOCK_SHARED, members - 1, 0, window);
    MPI_Get(&before, 1, MPI_INT, members - 1, 1, 1, MPI_INT, window);
    MPI_Win_unlock(members - 1, window);
    CHECK(before == members);
    printf("%s: %d of %d\n", child ? "child" : "parent", number, members);
    MPI_Win_free(&window);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&other);
    return finish();
}
