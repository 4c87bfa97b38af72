/*
 * A blocking call that shares memory with a pending receive, and never returns: what is wrong is known before it waits.
 *
 * check: -n 2 -- receive: buffer-race error RECEIVE
 * check: -n 2 -- receive: deadlock error RECEIVE
 * check: -n 2 -- synchronous: buffer-race error SYNCHRONOUS
 * check: -n 2 -- synchronous: deadlock error SYNCHRONOUS
 * check: -n 2 -- both: buffer-race error BOTH
 * check: -n 2 -- both: deadlock error BOTH
 * check: -n 2 -- collective: buffer-race error COLLECTIVE
 * check: -n 2 -- collective: deadlock error COLLECTIVE
 * check: -n 2 -- apart: deadlock error RECEIVE
 * check: -n 2: none
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, v[8] = {0}, w[8] = {0};
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Request r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int other = 1 - rank;
    MPI_Irecv(v, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &r);
    if (!strcmp(what, "receive") || !strcmp(what, "apart"))
        MPI_Recv(*what == 'a' ? w : v, 4, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* RECEIVE */
    if (!strcmp(what, "synchronous"))
        MPI_Ssend(v, 4, MPI_INT, other, 1, MPI_COMM_WORLD); /* SYNCHRONOUS */
    if (!strcmp(what, "both"))
        MPI_Sendrecv(w, 4, MPI_INT, other, 2, v, 4, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* BOTH */
    if (!strcmp(what, "collective") && rank == 0)
        MPI_Bcast(v, 4, MPI_INT, 1, MPI_COMM_WORLD); /* COLLECTIVE */
    MPI_Send(w, 4, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
