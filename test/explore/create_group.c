/*
 * MPI_Comm_create_group is collective over the group only: it takes no turn in the order of the world's collectives, and
 * the same group can make another one with the same tag.  With an argument, one of the group does not come.
 *
 * explore: -n 3 infinite: runs 1 clean 1
 * explore: -n 3 zero: runs 1 clean 1
 * explore: -n 3 infinite -- alone: runs 1 deadlock 1
 */
#include <assert.h>
#include <mpi.h>

static MPI_Comm make_pair(void)
{
    const int members[] = {1, 2};
    MPI_Group world, group;
    MPI_Comm pair;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, members, &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, &pair);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    return pair;
}

/* What is received on the second was not sent on the first. */
static void use(MPI_Comm first, MPI_Comm second)
{
    int rank, one = 1, two = 2, of_first, of_second;
    MPI_Request request;

    MPI_Comm_rank(first, &rank);
    MPI_Irecv(&of_second, 1, MPI_INT, 1 - rank, 0, second, &request);
    MPI_Sendrecv(&one, 1, MPI_INT, 1 - rank, 0, &of_first, 1, MPI_INT, 1 - rank, 0, first, MPI_STATUS_IGNORE);
    MPI_Send(&two, 1, MPI_INT, 1 - rank, 0, second);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(of_first == 1 && of_second == 2);
    MPI_Barrier(second);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 || (rank == 2 && argc == 1)) {
        MPI_Comm first = make_pair(), second = make_pair();

        use(first, second);
        MPI_Comm_free(&first);
        MPI_Comm_free(&second);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
