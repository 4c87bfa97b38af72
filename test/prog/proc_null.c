/*
 * MPI_PROC_NULL as peer of every point-to-point call: nothing moves, the
 * status says so.
 *
 * run: -n 2
 */
#include "check.h"

static int untouched = 1234;

static void check_status(const char *what, const MPI_Status *status)
{
    int count, elements;

    MPI_Get_count(status, MPI_INT, &count);
    MPI_Get_elements(status, MPI_INT, &elements);
    say("%s: null %d any tag %d count %d elements %d", what, status->MPI_SOURCE == MPI_PROC_NULL,
        status->MPI_TAG == MPI_ANY_TAG, count, elements);
    CHECK(status->MPI_SOURCE == MPI_PROC_NULL && status->MPI_TAG == MPI_ANY_TAG && count == 0);
    CHECK(untouched == 1234);
}

static void blocking(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Status status;

    MPI_Send(&untouched, 1, MPI_INT, MPI_PROC_NULL, 1, comm);
    MPI_Bsend(&untouched, 1, MPI_INT, MPI_PROC_NULL, 1, comm);
    MPI_Ssend(&untouched, 1, MPI_INT, MPI_PROC_NULL, 1, comm);
    MPI_Rsend(&untouched, 1, MPI_INT, MPI_PROC_NULL, 1, comm);
    MPI_Recv(&untouched, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &status);
    check_status("recv", &status);
    MPI_Recv(&untouched, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, comm, &status);
    check_status("recv any tag", &status);
    MPI_Probe(MPI_PROC_NULL, 1, comm, &status);
    check_status("probe", &status);
    MPI_Sendrecv(&rank, 1, MPI_INT, MPI_PROC_NULL, 1, &untouched, 1, MPI_INT, MPI_PROC_NULL, 1,
                 comm, &status);
    check_status("sendrecv", &status);
    MPI_Sendrecv_replace(&untouched, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_PROC_NULL, 1, comm,
                         &status);
    check_status("sendrecv_replace", &status);
}

static void requests(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Request r[7];
    MPI_Status statuses[7];
    int flag;

    MPI_Isend(&untouched, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &r[0]);
    MPI_Ibsend(&untouched, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &r[1]);
    MPI_Issend(&untouched, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &r[2]);
    MPI_Irsend(&untouched, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &r[3]);
    MPI_Irecv(&untouched, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &r[4]);
    MPI_Send_init(&untouched, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &r[5]);
    MPI_Recv_init(&untouched, 1, MPI_INT, MPI_PROC_NULL, 1, comm, &r[6]);
    for (int round = 0; round < 2; round++) {
        MPI_Startall(2, &r[5]);
        MPI_Testall(7, r, &flag, statuses);
        CHECK(flag);
        /* MPICH leaves the source of a persistent receive's status at "any". */
        CHECK(untouched == 1234 && statuses[6].MPI_TAG == MPI_ANY_TAG);
        if (round == 0)
            check_status("irecv", &statuses[4]);
    }
    MPI_Request_free(&r[5]);
    MPI_Request_free(&r[6]);
    for (int i = 0; i < 7; i++)
        CHECK(r[i] == MPI_REQUEST_NULL);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    blocking();
    requests();
    return finish();
}
