/*
 * Groups are plain lists of world ranks; what MPI calls set operations are loops
 * over one list with the other turned around (world rank to index) at hand.
 */
#include <stdlib.h>
#include <string.h>

#include "shim/comm.h"
#include "shim/core/error.h"
#include "shim/core/library_code.h"
#include "shim/objects/object.h"

static struct handle_map groups; /* of struct group */
static const struct group nobody;

struct group *group_copy(const struct group *from)
{
    if (!from)
        return NULL;
    struct group *g = group_new(from->size);
    g->session = from->session;
    memcpy(g->rank, from->rank, from->size * sizeof *g->rank);
    return g;
}

/* index[world rank], -1: not a member. */
static void turn_around(const struct group *g, int *index)
{
    for (int i = 0; i < shim.size; i++)
        index[i] = -1;
    for (int i = 0; i < g->size; i++)
        index[g->rank[i]] = i;
}

int group_compare(const struct group *a, const struct group *b)
{
    if (a->size != b->size)
        return MPI_UNEQUAL;
    if (memcmp(a->rank, b->rank, a->size * sizeof *a->rank) == 0)
        return MPI_IDENT;
    int index[shim.size];
    turn_around(b, index);
    for (int i = 0; i < a->size; i++)
        if (index[a->rank[i]] < 0)
            return MPI_UNEQUAL;
    return MPI_SIMILAR;
}

const struct group *group_find(MPI_Group handle)
{
    return handle == MPI_GROUP_EMPTY ? &nobody : handle_map_get(&groups, HANDLE_KEY(handle));
}

/* The library's side of it is a group with this process in it; only its identity matters. */
MPI_Group group_handle(struct group *g)
{
    if (g->size == 0) {
        free(g);
        return MPI_GROUP_EMPTY;
    }
    MPI_Group self, handle;
    real_must(Comm_group, shim.self, &self);
    real_must(Group_incl, self, 1, (int[]){0}, &handle);
    real_must(Group_free, &self);
    handle_map_put(&groups, HANDLE_KEY(handle), g);
    object_made(OBJECT_GROUP, HANDLE_KEY(handle));
    return handle;
}

int body_Group_free(MPI_Group *group)
{
    if (!group_find(*group))
        return error_raise(NULL, MPI_ERR_GROUP);
    if (*group != MPI_GROUP_EMPTY) {
        free(handle_map_get(&groups, HANDLE_KEY(*group)));
        handle_map_remove(&groups, HANDLE_KEY(*group));
        object_freed(OBJECT_GROUP, HANDLE_KEY(*group));
        return real.Group_free(group);
    }
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

int body_Group_size(MPI_Group group, int *size)
{
    const struct group *g = group_find(group);
    if (!g)
        return error_raise(NULL, MPI_ERR_GROUP);
    *size = g->size;
    return MPI_SUCCESS;
}

int body_Group_rank(MPI_Group group, int *rank)
{
    const struct group *g = group_find(group);
    if (!g)
        return error_raise(NULL, MPI_ERR_GROUP);
    int index = group_index(g, shim.rank);
    *rank = index < 0 ? MPI_UNDEFINED : index;
    return MPI_SUCCESS;
}

int body_Group_compare(MPI_Group group1, MPI_Group group2, int *result)
{
    const struct group *a = group_find(group1), *b = group_find(group2);
    if (!a || !b)
        return error_raise(NULL, MPI_ERR_GROUP);
    *result = group_compare(a, b);
    return MPI_SUCCESS;
}

int body_Group_translate_ranks(MPI_Group group1, int n, const int *ranks, MPI_Group group2, int *translated)
{
    const struct group *from = group_find(group1), *to = group_find(group2);
    if (!from || !to)
        return error_raise(NULL, MPI_ERR_GROUP);
    if (n < 0)
        return error_raise(NULL, MPI_ERR_ARG);
    int index[shim.size];
    turn_around(to, index);
    for (int i = 0; i < n; i++) {
        if (ranks[i] == MPI_PROC_NULL) {
            translated[i] = MPI_PROC_NULL;
            continue;
        }
        if (ranks[i] < 0 || ranks[i] >= from->size)
            return error_raise(NULL, MPI_ERR_RANK);
        int there = index[from->rank[ranks[i]]];
        translated[i] = there < 0 ? MPI_UNDEFINED : there;
    }
    return MPI_SUCCESS;
}

/* Appends the members of `from` that are, or are not, in `other`. */
static void append_members(struct group *to, const struct group *from, const struct group *other, bool in)
{
    int index[shim.size];
    turn_around(other, index);
    for (int i = 0; i < from->size; i++)
        if ((index[from->rank[i]] >= 0) == in)
            to->rank[to->size++] = from->rank[i];
}

enum set_operation { UNION, INTERSECTION, DIFFERENCE };

static int combine(enum set_operation operation, MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    const struct group *a = group_find(group1), *b = group_find(group2);
    if (!a || !b)
        return error_raise(NULL, MPI_ERR_GROUP);
    struct group *g = group_new(a->size + b->size);
    g->size = 0;
    g->session = a->session ? a->session : b->session;
    if (operation == UNION) {
        append_members(g, a, a, true);
        append_members(g, b, a, false);
    } else {
        append_members(g, a, b, operation == INTERSECTION);
    }
    *newgroup = group_handle(g);
    return MPI_SUCCESS;
}

int body_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine(UNION, group1, group2, newgroup);
}

int body_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine(INTERSECTION, group1, group2, newgroup);
}

int body_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine(DIFFERENCE, group1, group2, newgroup);
}

/* The members at `ranks`, which must be valid and distinct; MPI_SUCCESS or an error class. */
static int pick(const struct group *g, int n, const int *ranks, struct group *picked)
{
    bool taken[g->size + 1];
    memset(taken, 0, sizeof taken);
    for (int i = 0; i < n; i++) {
        if (ranks[i] < 0 || ranks[i] >= g->size || taken[ranks[i]])
            return MPI_ERR_RANK;
        taken[ranks[i]] = true;
        picked->rank[i] = g->rank[ranks[i]];
    }
    return MPI_SUCCESS;
}

static struct group *without(const struct group *g, const struct group *other)
{
    struct group *rest = group_new(g->size);
    rest->size = 0;
    append_members(rest, g, other, false);
    return rest;
}

static int subgroup(const struct group *g, int n, const int *ranks, bool include, MPI_Group *newgroup)
{
    if (n > g->size)
        return error_raise(NULL, MPI_ERR_RANK); /* not distinct */
    struct group *made = group_new(n);
    int error = pick(g, n, ranks, made);
    if (error != MPI_SUCCESS) {
        free(made);
        return error_raise(NULL, error);
    }
    if (!include) {
        struct group *rest = without(g, made);
        free(made);
        made = rest;
    }
    made->session = g->session;
    *newgroup = group_handle(made);
    return MPI_SUCCESS;
}

static int from_list(MPI_Group group, int n, const int *ranks, bool include, MPI_Group *newgroup)
{
    const struct group *g = group_find(group);
    if (!g || n < 0)
        return error_raise(NULL, g ? MPI_ERR_ARG : MPI_ERR_GROUP);
    return subgroup(g, n, ranks, include, newgroup);
}

int body_Group_incl(MPI_Group group, int n, const int *ranks, MPI_Group *newgroup)
{
    return from_list(group, n, ranks, true, newgroup);
}

int body_Group_excl(MPI_Group group, int n, const int *ranks, MPI_Group *newgroup)
{
    return from_list(group, n, ranks, false, newgroup);
}

/* Writes the triplets out, into at most `room` ranks; MPI_SUCCESS or an error class. */
static int expand_ranges(int n, int (*ranges)[3], int *ranks, int room, int *count)
{
    *count = 0;
    for (int i = 0; i < n; i++) {
        int first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];
        if (first < 0 || first >= room || last < 0 || last >= room)
            return MPI_ERR_RANK;
        if (stride == 0 || (stride > 0 ? first > last : first < last))
            return MPI_ERR_ARG;
        for (long rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride) {
            if (*count == room)
                return MPI_ERR_RANK; /* not distinct */
            ranks[(*count)++] = rank;
        }
    }
    return MPI_SUCCESS;
}

static int from_ranges(MPI_Group group, int n, int (*ranges)[3], bool include, MPI_Group *newgroup)
{
    const struct group *g = group_find(group);
    if (!g || n < 0)
        return error_raise(NULL, g ? MPI_ERR_ARG : MPI_ERR_GROUP);
    int ranks[g->size + 1], count;
    int error = expand_ranges(n, ranges, ranks, g->size, &count);
    if (error != MPI_SUCCESS)
        return error_raise(NULL, error);
    return subgroup(g, count, ranks, include, newgroup);
}

int body_Group_range_incl(MPI_Group group, int n, int (*ranges)[3], MPI_Group *newgroup)
{
    return from_ranges(group, n, ranges, true, newgroup);
}

int body_Group_range_excl(MPI_Group group, int n, int (*ranges)[3], MPI_Group *newgroup)
{
    return from_ranges(group, n, ranges, false, newgroup);
}
