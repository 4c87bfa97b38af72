/*
 * Grids.  Ranks count in row-major order: the last dimension runs fastest.
 */
#include "shim/core/error.h"
#include "shim/library/maker.h"
#include "shim/virtual/topology_make.h"

/* Brings a coordinate into its dimension; false: there is nothing. */
static bool wrap(const struct shape *grid, int dimension, long *at)
{
    long size = grid->cart.dims[dimension];
    if (*at >= 0 && *at < size)
        return true;
    if (!grid->cart.periods[dimension])
        return false;
    *at = (*at % size + size) % size;
    return true;
}

static int rank_at(const struct shape *grid, const int *coords)
{
    int rank = 0;
    for (int d = 0; d < grid->cart.ndims; d++) {
        long at = coords[d];
        if (!wrap(grid, d, &at))
            return MPI_PROC_NULL;
        rank = rank * grid->cart.dims[d] + at;
    }
    return rank;
}

static void coords_of(int ndims, const int *dims, int rank, int *coords)
{
    for (int d = ndims - 1; d >= 0; d--) {
        coords[d] = rank % dims[d];
        rank /= dims[d];
    }
}

/* Who is so many steps away in one dimension. */
static int neighbour(const struct shape *grid, int dimension, long step)
{
    long at = grid->cart.coords[dimension] + step;
    if (!wrap(grid, dimension, &at))
        return MPI_PROC_NULL;
    int coords[grid->cart.ndims];
    topology_give(coords, grid->cart.ndims, grid->cart.coords, grid->cart.ndims);
    coords[dimension] = at;
    return rank_at(grid, coords);
}

/* The grid as the process at `coords` sees it. */
static struct shape *grid_new(int ndims, const int *dims, const int *periods, const int *coords)
{
    struct shape *grid = shape_new(5 * (size_t)ndims);
    grid->cart.ndims = ndims;
    grid->cart.dims = shape_ints(grid, ndims, dims);
    grid->cart.periods = shape_ints(grid, ndims, periods);
    grid->cart.coords = shape_ints(grid, ndims, coords);
    grid->sources = grid->destinations = shape_ints(grid, 2 * ndims, NULL);
    grid->nsources = grid->ndestinations = 2 * ndims;
    for (int d = 0; d < ndims; d++) {
        grid->cart.periods[d] = periods[d] != 0;
        grid->sources[2 * d] = neighbour(grid, d, -1);
        grid->sources[2 * d + 1] = neighbour(grid, d, 1);
    }
    return grid;
}

/* The number of nodes; MPI_SUCCESS or an error, raised. */
static int count_nodes(const struct comm *old, int ndims, const int *dims, const int *periods, int *nodes)
{
    if (!old || comm_is_inter(old))
        return error_raise(old, MPI_ERR_COMM);
    if (ndims < 0 || (ndims > 0 && (!dims || !periods)))
        return error_raise(old, ndims < 0 ? MPI_ERR_DIMS : MPI_ERR_ARG);
    *nodes = 1;
    for (int d = 0; d < ndims; d++) {
        if (dims[d] <= 0 || dims[d] > old->local->size / *nodes)
            return error_raise(old, dims[d] <= 0 ? MPI_ERR_DIMS : MPI_ERR_ARG);
        *nodes *= dims[d];
    }
    return MPI_SUCCESS;
}

/* What there is instead of a grid that is too large. */
static void refuse_grid(const struct comm *old, int ndims, MPI_Comm *newcomm)
{
    if (!library_maker->leaves_refused_grid && old && !comm_is_inter(old) && ndims >= 0)
        *newcomm = MPI_COMM_NULL;
}

int body_Cart_create(MPI_Comm comm_old, int ndims, const int *dims, const int *periods, int reorder, MPI_Comm *newcomm)
{
    (void)reorder;
    int nodes = 0;
    struct comm *old = comm_find(comm_old);
    int error = count_nodes(old, ndims, dims, periods, &nodes);
    if (error != MPI_SUCCESS) {
        refuse_grid(old, ndims, newcomm);
        return error;
    }
    int coords[ndims + 1];
    coords_of(ndims, dims, old->rank, coords);
    return topology_make(old, old->rank < nodes ? 0 : MPI_UNDEFINED, old->rank, TOPOLOGY_CART,
                         grid_new(ndims, dims, periods, coords), newcomm);
}

/* A split: the coordinates that go are the colour, those that stay the new grid and the order. */
int body_Cart_sub(MPI_Comm comm, const int *remain_dims, MPI_Comm *newcomm)
{
    struct comm *old;
    int error = topology_find(comm, TOPOLOGY_CART, &old);
    if (error != MPI_SUCCESS)
        return error;
    const struct shape *grid = old->shape;
    int ndims = grid->cart.ndims, kept = 0, color = 0;
    if (!remain_dims && ndims > 0)
        return error_argument(old, MPI_ERR_ARG, "what remains is a null pointer");
    int dims[ndims + 1], periods[ndims + 1], coords[ndims + 1];
    for (int d = 0; d < ndims; d++) {
        if (!remain_dims[d]) {
            color = color * grid->cart.dims[d] + grid->cart.coords[d];
            continue;
        }
        dims[kept] = grid->cart.dims[d];
        periods[kept] = grid->cart.periods[d];
        coords[kept++] = grid->cart.coords[d];
    }
    return topology_make(old, color, old->rank, TOPOLOGY_CART, grid_new(kept, dims, periods, coords), newcomm);
}

int body_Cart_map(MPI_Comm comm, int ndims, const int *dims, const int *periods, int *newrank)
{
    int nodes;
    const struct comm *c = comm_find(comm);
    int error = count_nodes(c, ndims, dims, periods, &nodes);
    if (error != MPI_SUCCESS)
        return error;
    *newrank = c->rank < nodes ? c->rank : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int body_Cartdim_get(MPI_Comm comm, int *ndims)
{
    struct comm *c;
    int error = topology_find(comm, TOPOLOGY_CART, &c);
    if (error == MPI_SUCCESS)
        *ndims = c->shape->cart.ndims;
    return error;
}

int body_Cart_get(MPI_Comm comm, int maxdims, int *dims, int *periods, int *coords)
{
    struct comm *c;
    int error = topology_find(comm, TOPOLOGY_CART, &c);
    if (error != MPI_SUCCESS)
        return error;
    const struct shape *grid = c->shape;
    topology_give(dims, maxdims, grid->cart.dims, grid->cart.ndims);
    topology_give(periods, maxdims, grid->cart.periods, grid->cart.ndims);
    topology_give(coords, maxdims, grid->cart.coords, grid->cart.ndims);
    return MPI_SUCCESS;
}

int body_Cart_rank(MPI_Comm comm, const int *coords, int *rank)
{
    struct comm *c;
    int error = topology_find(comm, TOPOLOGY_CART, &c);
    if (error != MPI_SUCCESS)
        return error;
    if (!coords && c->shape->cart.ndims > 0)
        return error_argument(c, MPI_ERR_ARG, "the coordinates are a null pointer");
    *rank = rank_at(c->shape, coords);
    return error_raise(c, *rank == MPI_PROC_NULL ? MPI_ERR_ARG : MPI_SUCCESS);
}

int body_Cart_coords(MPI_Comm comm, int rank, int maxdims, int *coords)
{
    struct comm *c;
    int error = topology_find(comm, TOPOLOGY_CART, &c);
    if (error != MPI_SUCCESS)
        return error;
    if (rank < 0 || rank >= c->local->size)
        return error_raise(c, MPI_ERR_RANK);
    int ndims = c->shape->cart.ndims, all[ndims + 1];
    coords_of(ndims, c->shape->cart.dims, rank, all);
    topology_give(coords, maxdims, all, ndims);
    return MPI_SUCCESS;
}

int body_Cart_shift(MPI_Comm comm, int direction, int step, int *source, int *dest)
{
    struct comm *c;
    int error = topology_find(comm, TOPOLOGY_CART, &c);
    if (error != MPI_SUCCESS)
        return error;
    if (direction < 0 || direction >= c->shape->cart.ndims)
        return error_raise(c, MPI_ERR_ARG);
    *source = neighbour(c->shape, direction, -(long)step);
    *dest = neighbour(c->shape, direction, step);
    return MPI_SUCCESS;
}
