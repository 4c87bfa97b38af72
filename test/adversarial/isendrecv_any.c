/*
 * A request of MPI_Isendrecv among others in MPI_Waitany, MPI_Waitsome and MPI_Testall: it is not complete
 * before both halves are.  Rank 1 receives the send half only when rank 0 has told it that the other request, which it
 * answers at once, is complete: no order of the two is a deadlock, whatever is buffered.
 *
 * mpi: mpich
 * check: -n 2 -- any: none
 * runs: -n 2 -- any: 1, merged 1
 * check: -n 2 -- some: none
 * runs: -n 2 -- some: 1, merged 1
 * check: -n 2 -- testall: none
 * runs: -n 2 -- testall: 1, merged 1
 * check: -n 2 --buffering=zero -- any: none
 * runs: -n 2 --buffering=zero -- any: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

static int done[2];

static void complete_one(const char *how, MPI_Request request[2])
{
    int index = -1, count = 0, indices[2];

    if (strcmp(how, "any") == 0) {
        MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
        done[index] = 1;
    } else if (strcmp(how, "some") == 0) {
        MPI_Waitsome(2, request, &count, indices, MPI_STATUSES_IGNORE);
        for (int i = 0; i < count; i++)
            done[indices[i]] = 1;
    } else {
        MPI_Wait(&request[1], MPI_STATUS_IGNORE);
        done[1] = 1;
    }
}

int main(int argc, char **argv)
{
    int rank, mine = 5, got, other, flag = 0;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isendrecv(&mine, 1, MPI_INT, 1, 0, &got, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&other, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request[1]);
        while (!done[1])
            complete_one(argv[1], request);
        MPI_Ssend(&mine, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
        if (strcmp(argv[1], "testall") == 0)
            while (!flag)
                MPI_Testall(1, request, &flag, MPI_STATUSES_IGNORE);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        if (got != 6)
            MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
        mine = 6;
        MPI_Send(&mine, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&mine, 1, MPI_INT, 0, 2, &got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
