/*
 * Attributes of communicators: copy and delete callbacks get the right
 * communicator, key, values and extra state, at dup, delete, overwrite and free.
 *
 * run: -n 2
 */
#include "check.h"

static MPI_Comm expected_comm;
static int copies, deletes, last_deleted, extra_state = 99;

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)key;
    CHECK(comm == expected_comm && extra == &extra_state);
    copies++;
    *(void **)out = (char *)in + 100;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete_it(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)key;
    CHECK(comm == expected_comm && extra == &extra_state);
    deletes++;
    last_deleted = (int)(long)value;
    return MPI_SUCCESS;
}

static int value_of(MPI_Comm comm, int key)
{
    void *value = NULL;
    int found;

    MPI_Comm_get_attr(comm, key, &value, &found);
    return found ? (int)(long)value : -1;
}

static void callbacks(void)
{
    MPI_Comm comm, other;
    int key, plain, kept;

    MPI_Comm_create_keyval(copy, delete_it, &key, &extra_state);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &plain, NULL);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &kept, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(value_of(comm, key) == -1);
    expected_comm = comm;
    MPI_Comm_set_attr(comm, key, (void *)(long)(7 + rank));
    MPI_Comm_set_attr(comm, plain, (void *)20l);
    MPI_Comm_set_attr(comm, kept, (void *)30l);
    say("set: %d %d %d", value_of(comm, key), value_of(comm, plain), value_of(comm, kept));

    MPI_Comm_dup(comm, &other);
    say("dup: %d %d %d, copies %d", value_of(other, key), value_of(other, plain),
        value_of(other, kept), copies);
    CHECK(copies == 1 && value_of(other, key) == 107 + rank);

    MPI_Comm_set_attr(comm, key, (void *)8l); /* the old value is deleted */
    say("overwritten: deletes %d, last %d", deletes, last_deleted);
    MPI_Comm_delete_attr(comm, key);
    say("deleted: deletes %d, last %d, now %d", deletes, last_deleted, value_of(comm, key));

    expected_comm = other;
    MPI_Comm_free_keyval(&key); /* attached values keep it alive */
    CHECK(key == MPI_KEYVAL_INVALID);
    MPI_Comm_free(&other);
    say("freed: deletes %d, last %d", deletes, last_deleted);
    CHECK(deletes == 3 && last_deleted == 107 + rank);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&plain);
    MPI_Comm_free_keyval(&kept);
}

static void predefined(void)
{
    static const int keys[] = {MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL};
    int *value, found[4];

    for (int i = 0; i < 4; i++)
        MPI_Comm_get_attr(MPI_COMM_WORLD, keys[i], &value, &found[i]);
    say_ints("predefined", found, 4);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &found[0]);
    CHECK(*value >= 32767);
}

/* A value on COMM_SELF is deleted first of all in finalize: the usual exit hook. */
static int at_exit(MPI_Comm comm, int key, void *value, void *extra)
{
    int initialized, finalized;

    (void)comm, (void)key, (void)extra;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    say("exit hook %d: initialized %d finalized %d", *(int *)value, initialized, finalized);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    static int token = 42;
    int key;

    begin(&argc, &argv);
    callbacks();
    predefined();
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_exit, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &token);
    return finish();
}
