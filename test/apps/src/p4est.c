/*
 * A forest of quadtrees, refined in one corner, balanced and partitioned, with a layer of ghosts and numbered nodes: who sends to whom is found out by messages of which nobody
 * knows from where they come.
 */
#include <p4est_extended.h>
#include <p4est_ghost.h>
#include <p4est_lnodes.h>
#include <stdio.h>

static int is_in_corner(p4est_t *forest, p4est_topidx_t tree, p4est_quadrant_t *quadrant)
{
    (void)forest;
    (void)tree;
    return quadrant->level < 4 && quadrant->x == 0 && quadrant->y == 0;
}

int main(int argc, char **argv)
{
    p4est_connectivity_t *torus;
    p4est_t *forest;
    p4est_ghost_t *ghosts;
    p4est_lnodes_t *nodes;

    sc_MPI_Init(&argc, &argv);
    sc_init(sc_MPI_COMM_WORLD, 0, 0, NULL, SC_LP_ERROR);
    p4est_init(NULL, SC_LP_ERROR);
    torus = p4est_connectivity_new_periodic();
    forest = p4est_new_ext(sc_MPI_COMM_WORLD, torus, 0, 1, 1, 0, NULL, NULL);
    p4est_refine(forest, 1, is_in_corner, NULL);
    p4est_balance(forest, P4EST_CONNECT_FULL, NULL);
    p4est_partition(forest, 0, NULL);
    ghosts = p4est_ghost_new(forest, P4EST_CONNECT_FULL);
    nodes = p4est_lnodes_new(forest, ghosts, 1);
    printf("%d: %ld of %ld quadrants, %d ghosts, %d nodes\n", forest->mpirank, (long)forest->local_num_quadrants,
           (long)forest->global_num_quadrants, (int)ghosts->ghosts.elem_count, (int)nodes->num_local_nodes);
    p4est_lnodes_destroy(nodes);
    p4est_ghost_destroy(ghosts);
    p4est_destroy(forest);
    p4est_connectivity_destroy(torus);
    sc_finalize();
    sc_MPI_Finalize();
    return 0;
}
