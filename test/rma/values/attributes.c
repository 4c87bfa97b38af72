/*
 * What a window knows of itself: attributes, keys of the user, names, info, its group.
 *
 * run: -n 2
 * check: -n 2: none
 */
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "check_value.h"

static int window[4], deleted, deleted_value;

static int forget(MPI_Win win, int key, void *value, void *extra)
{
    CHECK(win != MPI_WIN_NULL && key != MPI_KEYVAL_INVALID);
    CHECK(extra == &deleted);
    deleted++;
    deleted_value = *(int *)value;
    return MPI_SUCCESS;
}

/* Windows are never duplicated, so nobody calls this. */
static int copy(MPI_Win win, int key, void *extra, void *value, void *new_value, int *flag)
{
    CHECK(win == MPI_WIN_NULL && key == 0 && !extra && !value && !new_value);
    *flag = 0;
    return MPI_SUCCESS;
}

static void predefined(MPI_Win win, void *base, MPI_Aint bytes, int unit, int flavor)
{
    void *value;
    int flag;

    MPI_Win_get_attr(win, MPI_WIN_BASE, &value, &flag);
    CHECK(flag && value == base);
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &value, &flag);
    CHECK(flag && *(MPI_Aint *)value == bytes);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &value, &flag);
    CHECK(flag && *(int *)value == unit);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &value, &flag);
    CHECK(flag && *(int *)value == flavor);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &value, &flag);
    CHECK(flag && (*(int *)value == MPI_WIN_UNIFIED || *(int *)value == MPI_WIN_SEPARATE));
}

static void keys(MPI_Win *win)
{
    int first, second, flag, one = 1, two = 2, three = 3;
    void *value;

    MPI_Win_create_keyval(copy, forget, &first, &deleted);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &second, NULL);
    MPI_Win_get_attr(*win, first, &value, &flag);
    CHECK(!flag);
    MPI_Win_set_attr(*win, first, &one);
    MPI_Win_set_attr(*win, second, &three);
    MPI_Win_get_attr(*win, first, &value, &flag);
    CHECK(flag && value == &one);
    MPI_Win_set_attr(*win, first, &two);
    CHECK(deleted == 1 && deleted_value == 1);
    MPI_Win_delete_attr(*win, first);
    CHECK(deleted == 2 && deleted_value == 2);
    MPI_Win_get_attr(*win, first, &value, &flag);
    CHECK(!flag);
    MPI_Win_set_attr(*win, first, &three);
    MPI_Win_free_keyval(&second);
    CHECK(second == MPI_KEYVAL_INVALID);
    MPI_Win_free(win);
    CHECK(deleted == 3 && deleted_value == 3);
    MPI_Win_free_keyval(&first);
    CHECK(first == MPI_KEYVAL_INVALID);
}

static void name(MPI_Win win)
{
    char text[MPI_MAX_OBJECT_NAME];
    int length;

    MPI_Win_set_name(win, "the window");
    MPI_Win_get_name(win, text, &length);
    CHECK(strcmp(text, "the window") == 0);
    CHECK(length == 10);
}

static void info_of(MPI_Win win)
{
    MPI_Info info;
    char text[64];
    int flag;

    MPI_Win_get_info(win, &info);
    CHECK(info != MPI_INFO_NULL);
    MPI_Info_get(info, "no_locks", 63, text, &flag);
    CHECK(!flag || strcmp(text, "true") == 0 || strcmp(text, "false") == 0);
    MPI_Info_free(&info);
    MPI_Info_create(&info);
    MPI_Info_set(info, "same_size", "true");
    MPI_Win_set_info(win, info);
    MPI_Info_free(&info);
}

static void group_of(MPI_Win win)
{
    MPI_Group group, world;
    int result;

    MPI_Win_get_group(win, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_compare(group, world, &result);
    CHECK(result == MPI_IDENT);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
}

int main(int argc, char **argv)
{
    MPI_Info info;
    MPI_Win win;
    char *base;

    begin(&argc, &argv);
    MPI_Win_create(window, sizeof window, 4 + rank, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    predefined(win, window, sizeof window, 4 + rank, MPI_WIN_FLAVOR_CREATE);
    name(win);
    info_of(win);
    group_of(win);
    keys(&win);
    MPI_Info_create(&info);
    MPI_Info_set(info, "no_locks", "true");
    MPI_Info_set(info, "accumulate_ordering", "rar,waw");
    MPI_Info_set(info, "accumulate_ops", "same_op");
    MPI_Info_set(info, "same_disp_unit", "true");
    MPI_Win_allocate(64, 8, info, MPI_COMM_WORLD, &base, &win);
    MPI_Info_free(&info);
    predefined(win, base, 64, 8, MPI_WIN_FLAVOR_ALLOCATE);
    MPI_Win_free(&win);
    MPI_Win_allocate_shared(32, 2, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    predefined(win, base, 32, 2, MPI_WIN_FLAVOR_SHARED);
    MPI_Win_free(&win);
    return end();
}
