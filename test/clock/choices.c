/* Every kind of choice once, told as it came out. */
#include "figure.h"

static void choose_among_requests(void)
{
    MPI_Request request[2];
    int value[2], index, done, indices[2];
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 6, MPI_COMM_WORLD, &request[i]);
    MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
    printf("any %d\n", index);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 7, MPI_COMM_WORLD, &request[i]);
    MPI_Waitsome(2, request, &done, indices, MPI_STATUSES_IGNORE);
    printf("some %d:", done);
    for (int i = 0; i < done; i++)
        printf(" %d", indices[i]);
    printf("\n");
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void poll(void)
{
    MPI_Request request;
    MPI_Status status;
    int value, flag = 0, noes = 0;
    MPI_Irecv(&value, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &flag, MPI_STATUS_IGNORE), !flag)
        noes++;
    printf("test after %d noes\n", noes);
    for (noes = 0; MPI_Iprobe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &flag, &status), !flag;)
        noes++;
    printf("probe sees %d after %d noes\n", status.MPI_SOURCE, noes);
    for (int i = 1; i < 3; i++)
        MPI_Recv(&value, 1, MPI_INT, i, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Iprobe(1, 10, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    printf("and %d\n", flag);
}

int main(void)
{
    begin();
    if (rank == 0) {
        printf("from %d\n", recv_from(MPI_ANY_SOURCE));
        printf("from %d\n", recv_from(MPI_ANY_SOURCE));
        choose_among_requests();
        poll();
    } else {
        send_to(0);
        for (int tag = 6; tag < 10; tag++)
            if (tag != 8 || rank == 1)
                MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
