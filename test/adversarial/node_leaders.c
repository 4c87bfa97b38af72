/*
 * The leaders of nodes gather what their nodes have found.  The leader of a node takes part in the collective on all ranks in
 * place of that on the leaders: as long as there is one node, the two have the same members that matter.
 *
 * check: -n 4: none
 * runs: -n 4: 1, merged 1
 * check: -n 4 --nodes=2x2: deadlock error LEADERS
 * runs: -n 4 --nodes=2x2: 1, merged 1
 * check: -n 4 --nodes=1x4,2x2: deadlock error LEADERS
 * runs: -n 4 --nodes=1x4,2x2: 2, merged 2
 * check: -n 4 --nodes=1x4,2x2,4x1 -- right: none
 * runs: -n 4 --nodes=1x4,2x2,4x1 -- right: 3, merged 3
 * check: -n 4 --nodes=2x2 -- right: none
 * runs: -n 4 --nodes=2x2 -- right: 1, merged 1
 * check: -n 4 --nodes=4x1 -- right: none
 * runs: -n 4 --nodes=4x1 -- right: 1, merged 1
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Comm node, leaders;
    int rank, inside, length, sum = 0, all = 0, one = 1;
    char name[MPI_MAX_PROCESSOR_NAME], host[MPI_MAX_PROCESSOR_NAME];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_processor_name(name, &length);
    gethostname(host, sizeof host);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &inside);
    MPI_Comm_split(MPI_COMM_WORLD, inside == 0 ? 0 : MPI_UNDEFINED, rank, &leaders);
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, node);
    if (inside == 0 && argc > 1)
        MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, leaders);
    else if (inside == 0 && rank > 0) /* written with one node at hand, where nobody comes here */
        MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* LEADERS */
    if (length != (int)strlen(name) || (argc > 1 && strcmp(name, host) != 0))
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (leaders != MPI_COMM_NULL)
        MPI_Comm_free(&leaders);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
