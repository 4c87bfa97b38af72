/*
 * What datatypes tell about themselves: size, extents, how they were made,
 * names, attributes with callbacks.
 *
 * run: -n 2
 */
#include "check.h"

static int copies, deletes;

static void sizes(const char *what, MPI_Datatype type)
{
    MPI_Aint low, extent, true_low, true_extent;
    MPI_Count size_x, low_x, extent_x;
    int bytes;

    MPI_Type_size(type, &bytes);
    MPI_Type_size_x(type, &size_x);
    MPI_Type_get_extent(type, &low, &extent);
    MPI_Type_get_extent_x(type, &low_x, &extent_x);
    MPI_Type_get_true_extent(type, &true_low, &true_extent);
    say("%s: size %d from %ld extent %ld, true from %ld extent %ld", what, bytes, (long)low,
        (long)extent, (long)true_low, (long)true_extent);
    CHECK(size_x == bytes && low_x == low && extent_x == extent);
}

static void made_of(MPI_Datatype type)
{
    int n_ints, n_places, n_types, combiner, ints[8];
    MPI_Aint places[8];
    MPI_Datatype types[8];

    MPI_Type_get_envelope(type, &n_ints, &n_places, &n_types, &combiner);
    CHECK(combiner == MPI_COMBINER_HVECTOR);
    MPI_Type_get_contents(type, n_ints, n_places, n_types, ints, places, types);
    say("hvector of %d by %d, stride %ld, of doubles %d", ints[0], ints[1], (long)places[0],
        types[0] == MPI_DOUBLE);
    MPI_Type_get_envelope(MPI_INT, &n_ints, &n_places, &n_types, &combiner);
    CHECK(combiner == MPI_COMBINER_NAMED);
}

static void names(MPI_Datatype type)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length;

    MPI_Type_get_name(MPI_INT, name, &length);
    say("builtin %s", name);
    MPI_Type_get_name(type, name, &length);
    CHECK(length == 0);
    MPI_Type_set_name(type, "halo");
    MPI_Type_get_name(type, name, &length);
    say("named %s", name);
}

static int copy(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag)
{
    (void)type, (void)key, (void)extra;
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_it(MPI_Datatype type, int key, void *value, void *extra)
{
    (void)type, (void)key, (void)value, (void)extra;
    deletes++;
    return MPI_SUCCESS;
}

static void attributes(MPI_Datatype type)
{
    MPI_Datatype other;
    int key, found, *value;

    MPI_Type_create_keyval(copy, delete_it, &key, NULL);
    MPI_Type_set_attr(type, key, &size);
    MPI_Type_dup(type, &other);
    MPI_Type_get_attr(other, key, &value, &found);
    CHECK(found && value == &size);
    MPI_Type_free(&other);
    MPI_Type_delete_attr(type, key);
    MPI_Type_get_attr(type, key, &value, &found);
    say("attributes: copies %d deletes %d found %d", copies, deletes, found);
    MPI_Type_free_keyval(&key);
}

int main(int argc, char **argv)
{
    MPI_Datatype vector, resized, real;
    MPI_Aint here, there;
    int v[10];

    begin(&argc, &argv);
    MPI_Type_create_hvector(3, 2, 40, MPI_DOUBLE, &vector);
    MPI_Type_create_resized(vector, -8, 200, &resized);
    sizes("int", MPI_INT);
    sizes("short_int", MPI_SHORT_INT);
    sizes("vector", vector);
    sizes("resized", resized);
    made_of(vector);
    names(vector);
    attributes(vector);
    MPI_Get_address(&v[1], &here);
    MPI_Get_address(&v[4], &there);
    CHECK(MPI_Aint_diff(there, here) == 3 * sizeof(int));
    CHECK(MPI_Aint_add(here, 12) == there);
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &real);
    sizes("real of 8 bytes", real);
    MPI_Type_free(&vector);
    MPI_Type_free(&resized);
    return finish();
}
