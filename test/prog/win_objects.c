/*
 * What windows have besides memory: attributes, name, group, info, error handler, a Fortran handle.
 *
 * run: -n 2
 * compare: none
 */
#include "check.h"

static int windows_deleted;

static int forget(MPI_Win win, int key, void *value, void *state)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length;

    (void)key, (void)state;
    MPI_Win_get_name(win, name, &length);
    say("delete %d of %s", *(int *)value, name);
    windows_deleted++;
    return MPI_SUCCESS;
}

static void check_attributes(const char *what, MPI_Win win, const void *base, MPI_Aint size_wanted, int unit_wanted,
                             int flavour_wanted)
{
    void *start;
    MPI_Aint *bytes;
    int *unit, *flavour, *model, flag[5];

    MPI_Win_get_attr(win, MPI_WIN_BASE, &start, &flag[0]);
    MPI_Win_get_attr(win, MPI_WIN_SIZE, &bytes, &flag[1]);
    MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag[2]);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavour, &flag[3]);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &flag[4]);
    for (int i = 0; i < 5; i++)
        CHECK(flag[i]);
    CHECK(start == base);
    CHECK(*bytes == size_wanted);
    CHECK(*unit == unit_wanted);
    CHECK(*flavour == flavour_wanted);
    CHECK(*model == MPI_WIN_UNIFIED);
    say("%s", what);
}

static void attributes_of_all_kinds(void)
{
    int memory[8] = {0};
    double *made;
    MPI_Win win;

    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    check_attributes("create", win, memory, sizeof memory, sizeof(int), MPI_WIN_FLAVOR_CREATE);
    MPI_Win_free(&win);
    CHECK(win == MPI_WIN_NULL);
    MPI_Win_allocate(80, sizeof *made, MPI_INFO_NULL, MPI_COMM_WORLD, &made, &win);
    check_attributes("allocate", win, made, 80, sizeof *made, MPI_WIN_FLAVOR_ALLOCATE);
    MPI_Win_free(&win);
    MPI_Win_allocate_shared(16, sizeof *made, MPI_INFO_NULL, MPI_COMM_WORLD, &made, &win);
    check_attributes("shared", win, made, 16, sizeof *made, MPI_WIN_FLAVOR_SHARED);
    MPI_Win_free(&win);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    check_attributes("dynamic", win, MPI_BOTTOM, 0, 1, MPI_WIN_FLAVOR_DYNAMIC);
    MPI_Win_free(&win);
}

static void attributes_of_the_program(MPI_Win win)
{
    int key, flag;
    static int value;
    void *found;

    value = 42 + rank;
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, forget, &key, NULL);
    MPI_Win_get_attr(win, key, &found, &flag);
    CHECK(!flag);
    MPI_Win_set_attr(win, key, &value);
    MPI_Win_get_attr(win, key, &found, &flag);
    CHECK(flag && found == &value);
    MPI_Win_delete_attr(win, key);
    MPI_Win_set_attr(win, key, &value);
    MPI_Win_free_keyval(&key);
}

static void name_and_group(MPI_Win win)
{
    MPI_Group members, everybody;
    char name[MPI_MAX_OBJECT_NAME];
    int length, result;

    MPI_Win_set_name(win, "a window");
    MPI_Win_get_name(win, name, &length);
    say("%s, %d letters", name, length);
    MPI_Win_get_group(win, &members);
    MPI_Comm_group(MPI_COMM_WORLD, &everybody);
    MPI_Group_compare(members, everybody, &result);
    CHECK(result == MPI_IDENT);
    MPI_Group_free(&members);
    MPI_Group_free(&everybody);
    CHECK(MPI_Win_f2c(MPI_Win_c2f(win)) == win);
}

static void info_of_window(MPI_Win win)
{
    MPI_Info info;

    MPI_Win_get_info(win, &info);
    MPI_Win_set_info(win, info);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    int memory = 0;
    MPI_Win win;

    begin(&argc, &argv);
    attributes_of_all_kinds();
    MPI_Win_create(&memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    name_and_group(win);
    info_of_window(win);
    attributes_of_the_program(win);
    MPI_Win_free(&win);
    CHECK(windows_deleted == 2);
    return finish();
}
