/*
 * Neighbourhood collectives on graphs, directed and not: uneven degrees, ranks
 * without neighbours, two edges between the same ranks.
 *
 * run: -n 4
 */
#include "check.h"

enum { MAX = 8 };

/* A star around rank 1. */
static void graph(void)
{
    int index[4] = {1, 4, 5, 6}, edges[6] = {1, 0, 2, 3, 1, 1};
    int degree = rank == 1 ? 3 : 1, in[MAX], out[MAX];
    MPI_Comm star;
    MPI_Request request;

    MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &star);
    memset(in, -1, sizeof in);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, star);
    say_ints("star allgather", in, degree);
    for (int i = 0; i < degree; i++)
        out[i] = 10 * rank + i;
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, star);
    say_ints("star alltoall", in, degree);
    MPI_Ineighbor_allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, star, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say_ints("star iallgather", in, degree);
    CHECK(rank == 1 ? in[2] == 3 : in[0] == 1);
    MPI_Comm_free(&star);
}

/* 0 -> 1, 0 -> 2, 2 -> 0, 1 -> 2; rank 3 is alone. */
static void directed(void)
{
    static const int sources[4][2] = {{2, 0}, {0, 0}, {0, 1}, {0, 0}};
    static const int targets[4][2] = {{1, 2}, {2, 0}, {0, 0}, {0, 0}};
    static const int indegrees[4] = {1, 1, 2, 0}, outdegrees[4] = {2, 1, 1, 0};
    int nin = indegrees[rank], nout = outdegrees[rank], in[MAX], out[MAX] = {rank, 5 * rank};
    int counts[2] = {1, 1}, reversed[2] = {1, 0}, forward[2] = {0, 1};
    MPI_Comm comm;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, nin, sources[rank], MPI_UNWEIGHTED, nout,
                                   targets[rank], MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    memset(in, -1, sizeof in);
    MPI_Neighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, comm);
    say_ints("directed allgather", in, 2 * nin);
    memset(in, -1, sizeof in);
    MPI_Neighbor_allgatherv(out, 1, MPI_INT, in, counts, reversed, MPI_INT, comm);
    say_ints("directed allgatherv", in, 2);
    out[0] = 100 + rank, out[1] = 200 + rank;
    memset(in, -1, sizeof in);
    MPI_Neighbor_alltoallv(out, counts, forward, MPI_INT, in, counts, forward, MPI_INT, comm);
    say_ints("directed alltoallv", in, 2);
    MPI_Comm_free(&comm);
}

/* Two edges from each rank to the next: both messages arrive (MPICH swaps them). */
static void double_edges(void)
{
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    int sources[2] = {previous, previous}, targets[2] = {next, next};
    int out[2] = {10 * rank, 10 * rank + 1}, in[2] = {-1, -1};
    MPI_Comm comm;
    MPI_Request request;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, targets,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    say("double alltoall, together %d", in[0] + in[1]);
    CHECK(in[0] != in[1] && in[0] + in[1] == 20 * previous + 1);
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("double ialltoall, together %d", in[0] + in[1]);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    graph();
    directed();
    double_edges();
    return finish();
}
