/*
 * Ranks that others start: what they are told, and how parents and children reach each other.
 *
 * run: -n 1
 * run: -n 2
 * compare: openmpi
 * timeout: 120
 */
#include <stdlib.h>

#include "check.h"

static void child(MPI_Comm parents, char **argv)
{
    int remote, flag, *application, sum, number;
    MPI_Comm again, all;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Comm_remote_size(parents, &remote);
    MPI_Comm_get_parent(&again);
    CHECK(again == parents);
    MPI_Comm_test_inter(parents, &flag);
    CHECK(flag);
    MPI_Comm_get_name(parents, name, &number);
    printf("child %d of %d, %d parents, '%s' '%s', %s\n", rank, size, remote, argv[1], argv[2], name);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &application, &flag);
    CHECK(flag && *application == 0);

    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == size * (size - 1) / 2);
    MPI_Bcast(&number, 1, MPI_INT, 0, parents);
    CHECK(number == 42);
    MPI_Send(&rank, 1, MPI_INT, 0, 7, parents);
    MPI_Intercomm_merge(parents, 1, &all);
    MPI_Comm_rank(all, &number);
    CHECK(number == remote + rank);
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, all);
    printf("child %d: %d\n", rank, sum);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&parents);
    MPI_Comm_get_parent(&parents);
    CHECK(parents == MPI_COMM_NULL);
}

static void parent(char *program)
{
    enum { CHILDREN = 2 };
    char *arguments[] = {"one", "two words", NULL};
    int remote, codes[CHILDREN] = {-1, -1}, number = 42, seen = 0, sum;
    MPI_Comm children, all;
    MPI_Status status;
    MPI_Comm_spawn(rank == size - 1 ? program : NULL, rank == size - 1 ? arguments : MPI_ARGV_NULL, CHILDREN, MPI_INFO_NULL, size - 1,
                   MPI_COMM_WORLD, &children, codes);
    CHECK(codes[0] == MPI_SUCCESS && codes[1] == MPI_SUCCESS);
    MPI_Comm_remote_size(children, &remote);
    CHECK(remote == CHILDREN);
    MPI_Bcast(&number, 1, MPI_INT, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, children);
    for (int i = 0; rank == 0 && i < CHILDREN; i++) {
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 7, children, &status);
        CHECK(number == status.MPI_SOURCE);
        seen |= 1 << number;
    }
    CHECK(rank != 0 || seen == 3);
    MPI_Intercomm_merge(children, 0, &all);
    MPI_Comm_rank(all, &number);
    CHECK(number == rank);
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, all);
    printf("parent %d: %d\n", rank, sum);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&children);
}

int main(int argc, char **argv)
{
    MPI_Comm parents;
    begin(&argc, &argv);
    MPI_Comm_get_parent(&parents);
    if (parents == MPI_COMM_NULL)
        parent(argv[0]);
    else
        child(parents, argv);
    return finish();
}
