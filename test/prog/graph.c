/*
 * Graph and distributed graph topologies: creation in both ways, weights,
 * queries. The order of neighbours is the library's when the graph is given
 * in scattered pieces, so those are sorted.
 *
 * run: -n 4
 */
#include "check.h"

enum { MAX = 8 };

static void undirected(void)
{
    /* The path 0 - 1 - 2 and nobody else. */
    int index[3] = {1, 3, 4}, edges[4] = {1, 0, 2, 1}, n, m, kind, got[MAX], all[2][MAX];
    MPI_Comm path;

    MPI_Graph_create(MPI_COMM_WORLD, 3, index, edges, 0, &path);
    if (path == MPI_COMM_NULL) {
        say("not on the path");
        return;
    }
    MPI_Topo_test(path, &kind);
    MPI_Graphdims_get(path, &n, &m);
    MPI_Graph_get(path, MAX, MAX, all[0], all[1]);
    say("graph %d: %d nodes %d edges", kind == MPI_GRAPH, n, m);
    say_ints("index", all[0], n);
    say_ints("edges", all[1], m);
    for (int r = 0; r < 3; r++) {
        MPI_Graph_neighbors_count(path, r, &n);
        MPI_Graph_neighbors(path, r, n, got);
        say_ints("neighbours", got, n);
    }
    MPI_Comm_free(&path);
}

static int by_rank(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void show(MPI_Comm comm, int sorted)
{
    int nin, nout, weighted, kind, in[MAX], out[MAX], win[MAX] = {0}, wout[MAX] = {0};
    int both[2][MAX];

    MPI_Topo_test(comm, &kind);
    CHECK(kind == MPI_DIST_GRAPH);
    MPI_Dist_graph_neighbors_count(comm, &nin, &nout, &weighted);
    MPI_Dist_graph_neighbors(comm, nin, in, weighted ? win : MPI_UNWEIGHTED, nout, out,
                             weighted ? wout : MPI_UNWEIGHTED);
    for (int i = 0; i < MAX; i++) {
        both[0][i] = i < nin ? 100 * in[i] + win[i] : 0;
        both[1][i] = i < nout ? 100 * out[i] + wout[i] : 0;
    }
    if (sorted) {
        qsort(both[0], nin, sizeof(int), by_rank);
        qsort(both[1], nout, sizeof(int), by_rank);
    }
    say("weighted %d", !!weighted);
    say_ints("  sources", both[0], nin);
    say_ints("  targets", both[1], nout);
}

static void adjacent(void)
{
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    int sources[2] = {previous, rank}, targets[2] = {next, rank};
    int source_weights[2] = {previous + 1, 50}, target_weights[2] = {rank + 1, 50};
    MPI_Comm comm;

    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, source_weights, 2, targets,
                                   target_weights, MPI_INFO_NULL, 0, &comm);
    show(comm, 0);
    MPI_Comm_free(&comm);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, sources, MPI_UNWEIGHTED, 1, targets,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    show(comm, 0);
    MPI_Comm_free(&comm);
}

/* Rank 0 knows two stars, rank 3 one more edge, the others nothing. */
static void scattered(void)
{
    int sources[2] = {1, 2}, degrees[2] = {2, 2}, targets[4] = {0, 3, 0, 1};
    int weights[4] = {5, 6, 7, 8}, last_source = 3, one = 1, last_target = 2, weight = 9;
    MPI_Comm comm;

    for (int weighted = 0; weighted < 2; weighted++) {
        if (rank == 0)
            MPI_Dist_graph_create(MPI_COMM_WORLD, 2, sources, degrees, targets,
                                  weighted ? weights : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
        else if (rank == 3)
            MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &last_source, &one, &last_target,
                                  weighted ? &weight : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
        else
            MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL,
                                  weighted ? MPI_WEIGHTS_EMPTY : MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                  &comm);
        show(comm, 1);
        MPI_Comm_free(&comm);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    undirected();
    adjacent();
    scattered();
    return finish();
}
