/*
 * Random chains of communicator constructors, each applied to what the one
 * before made: members, order, shape, and that messages stay inside.  Rank 0
 * tells everybody's story: mpiexec mixes the lines of ranks that say so much.
 * The arguments are a seed and how many chains there are: few where there are
 * more ranks than processors, for they spin while they make communicators.
 *
 * run: -n 4 1 8
 * run: -n 5 2 5
 * run: -n 7 3 3
 * run: -n 2 4 20
 */
#include "check.h"

#include <stdint.h>

enum { LINKS = 5, MOST = 16 };

static uint64_t seed;
static char story[1 << 16];

static void tell(const char *what, const int *v, int n)
{
    size_t used = strlen(story);

    used += snprintf(story + used, sizeof story - used, "rank %d: %s", rank, what);
    for (int i = 0; i < n; i++)
        used += snprintf(story + used, sizeof story - used, " %d", v[i]);
    CHECK(used < sizeof story - 1);
    strcat(story, "\n");
}

static unsigned mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ (b + 1) * UINT64_C(0xbf58476d1ce4e5b9);

    x = (x ^ x >> 30) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)(x >> 33);
}

/* World ranks of both groups, by rank; returns how many. */
static int members(MPI_Comm comm, int *world)
{
    MPI_Group all, groups[2];
    int inter, n, total = 0, numbers[MOST];

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_group(comm, &groups[0]);
    MPI_Comm_test_inter(comm, &inter);
    if (inter)
        MPI_Comm_remote_group(comm, &groups[1]);
    for (int i = 0; i < MOST; i++)
        numbers[i] = i;
    for (int g = 0; g <= inter; g++) {
        MPI_Group_size(groups[g], &n);
        MPI_Group_translate_ranks(groups[g], n, numbers, all, world + total);
        MPI_Group_free(&groups[g]);
        total += n;
    }
    MPI_Group_free(&all);
    return total;
}

/* The lowest world rank in either group, and whether it is on this side. */
static int lowest_member(MPI_Comm comm, int *here)
{
    int world[2 * MOST], n = members(comm, world), local, lowest = 0;

    MPI_Comm_size(comm, &local);
    for (int i = 1; i < n; i++)
        lowest = world[i] < world[lowest] ? i : lowest;
    *here = lowest < local;
    return world[lowest];
}

static void describe_shape(MPI_Comm comm)
{
    int kind, ndims, dims[3], periods[3], coords[3], in, out, weighted, from[99], to[99], weights[99];

    MPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        MPI_Cartdim_get(comm, &ndims);
        MPI_Cart_get(comm, 3, dims, periods, coords);
        tell("  dims", dims, ndims);
        tell("  at", coords, ndims);
        for (int i = 0, two[2]; i < ndims; i++) {
            MPI_Cart_shift(comm, i, 2, &two[0], &two[1]);
            tell("  shift", (int[]){two[0] == MPI_PROC_NULL ? -9 : two[0], two[1] == MPI_PROC_NULL ? -9 : two[1]}, 2);
        }
    }
    if (kind == MPI_DIST_GRAPH) {
        /* The order of neighbours is free. */
        int sums[4] = {0};
        MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
        MPI_Dist_graph_neighbors(comm, in, from, weights, out, to, weights + in);
        for (int i = 0; i < in; i++)
            sums[0] += 100 * from[i] + weights[i];
        for (int i = 0; i < out; i++)
            sums[1] += 100 * to[i] + weights[in + i];
        sums[2] = in;
        sums[3] = out;
        tell("  neighbours", sums, 4);
    }
}

static void describe(const char *what, MPI_Comm comm)
{
    int world[2 * MOST], n, me, sum = -1;

    if (comm == MPI_COMM_NULL) {
        tell(what, NULL, 0);
        return;
    }
    n = members(comm, world);
    MPI_Comm_rank(comm, &me);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    tell(what, (int[]){me, sum}, 2);
    tell("  members", world, n);
    describe_shape(comm);
}

static MPI_Comm create(MPI_Comm comm, unsigned choice, int tag)
{
    MPI_Group all, some;
    MPI_Comm new = MPI_COMM_NULL;
    int n, index;

    MPI_Comm_size(comm, &n);
    MPI_Comm_group(comm, &all);
    MPI_Group_range_incl(all, 1, (int[1][3]){{n - 1, 0, -1 - (int)(choice % 2)}}, &some);
    MPI_Group_rank(some, &index);
    if (tag < 0)
        MPI_Comm_create(comm, some, &new);
    else if (index != MPI_UNDEFINED)
        MPI_Comm_create_group(comm, some, tag, &new);
    MPI_Group_free(&all);
    MPI_Group_free(&some);
    return new;
}

/* Two parts of a communicator, of which the second may be in reverse order. */
static MPI_Comm bridge(MPI_Comm comm, unsigned choice)
{
    MPI_Comm part, new;
    int n, me;

    MPI_Comm_size(comm, &n);
    MPI_Comm_rank(comm, &me);
    if (n < 2)
        return MPI_COMM_NULL;
    int cut = 1 + (int)(choice % (n - 1)), reverse = choice / 64 % 2, second = me >= cut;
    MPI_Comm_split(comm, second, second && reverse ? -me : me, &part);
    MPI_Intercomm_create(part, 0, comm, second ? 0 : reverse ? n - 1 : cut, 5, &new);
    MPI_Comm_free(&part);
    return new;
}

static MPI_Comm grid(MPI_Comm comm, unsigned choice)
{
    int n, dims[2], periods[2] = {choice / 2 % 2, choice / 4 % 2};
    MPI_Comm new;

    MPI_Comm_size(comm, &n);
    dims[0] = n > 1 ? 1 + (int)(choice % 2) : 1;
    dims[1] = n / dims[0];
    MPI_Cart_create(comm, 2, dims, periods, 0, &new);
    return new;
}

static MPI_Comm line(MPI_Comm comm, unsigned choice)
{
    int ndims, keep[2];
    MPI_Comm new;

    MPI_Cartdim_get(comm, &ndims);
    keep[0] = ndims < 2 || choice % 2;
    keep[1] = !keep[0];
    MPI_Cart_sub(comm, keep, &new);
    return new;
}

/* Everybody names some edges, of whomever. */
static MPI_Comm graph(MPI_Comm comm, unsigned own)
{
    int n, degree = (int)(own % 4), sources[2], degrees[2] = {degree, 1}, destinations[4], weights[4];
    MPI_Comm new;

    MPI_Comm_size(comm, &n);
    for (int i = 0; i < 2; i++)
        sources[i] = (int)(mix(own, i) % n);
    for (int i = 0; i < 4; i++) {
        destinations[i] = (int)(mix(own, 5 + i) % n);
        weights[i] = (int)(mix(own, 9 + i) % 50);
    }
    MPI_Dist_graph_create(comm, 2, sources, degrees, destinations, weights, MPI_INFO_NULL, 0, &new);
    return new;
}

static MPI_Comm next(MPI_Comm comm, unsigned choice, const char **what)
{
    int inter, kind, here;
    unsigned own = mix(choice, rank);
    MPI_Comm new = MPI_COMM_NULL;
    MPI_Request request;

    MPI_Comm_test_inter(comm, &inter);
    MPI_Topo_test(comm, &kind);
    if (inter && choice % 3) {
        *what = "merge";
        lowest_member(comm, &here);
        MPI_Intercomm_merge(comm, here == (int)(choice / 3 % 2), &new);
        return new;
    }
    if (kind == MPI_CART && choice % 2) {
        *what = "line";
        return line(comm, choice / 2);
    }
    switch (inter ? choice % 2 : choice / 8 % 8) {
    case 0:
        *what = "dup";
        MPI_Comm_dup(comm, &new);
        return new;
    case 1:
        *what = "idup";
        MPI_Comm_idup(comm, &new, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return new;
    case 2:
        *what = "split";
        MPI_Comm_split(comm, own % 5 ? (int)(own % 2) : MPI_UNDEFINED, (int)(own / 8 % 5) - 2, &new);
        return new;
    case 3:
        *what = "create";
        return create(comm, choice / 64, -1);
    case 4:
        /* Open MPI 4.1 takes the shape along, which is wrong. */
        *what = "create_group";
        return create(comm, choice / 64, kind == MPI_UNDEFINED ? (int)(choice / 128 % 3) : -1);
    case 5:
        *what = "bridge";
        return bridge(comm, choice / 64);
    case 6:
        *what = "grid";
        return grid(comm, choice / 64);
    default:
        *what = "graph";
        return graph(comm, own);
    }
}

static void tell_all(void)
{
    char *all = rank ? NULL : malloc(size * sizeof story);

    MPI_Gather(story, sizeof story, MPI_CHAR, all, sizeof story, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++)
        fputs(all + i * sizeof story, stdout);
    free(all);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    seed = atoi(argv[1]);
    for (int chain = 0, chains = atoi(argv[2]); chain < chains; chain++) {
        MPI_Comm comm, new;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int link = 0; link < LINKS && comm != MPI_COMM_NULL; link++, comm = new) {
            /* The same for all members of this communicator, another for others. */
            int here, lowest = lowest_member(comm, &here);
            const char *what = "";
            new = next(comm, mix(mix(seed, chain), mix(link, lowest)), &what);
            describe(what, new);
            MPI_Comm_free(&comm);
        }
        if (comm != MPI_COMM_NULL)
            MPI_Comm_free(&comm);
    }
    tell_all();
    return finish();
}
