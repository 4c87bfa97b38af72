/*
 * Info objects: set, get, delete, order of keys, copies, and the one that tells of the job.
 *
 * run: -n 2
 * compare: each
 */
#include "check.h"

static void show(const char *what, MPI_Info info)
{
    int n, flag, length;
    char key[MPI_MAX_INFO_KEY + 1], value[100];

    MPI_Info_get_nkeys(info, &n);
    say("%s: %d keys", what, n);
    for (int i = 0; i < n; i++) {
        MPI_Info_get_nthkey(info, i, key);
        MPI_Info_get_valuelen(info, key, &length, &flag);
        MPI_Info_get(info, key, 99, value, &flag);
        say("  %s = %s (%d)", key, value, length);
        CHECK(flag && (int)strlen(value) == length);
    }
}

int main(int argc, char **argv)
{
    MPI_Info info, copy;
    char value[100];
    int flag, n;

    begin(&argc, &argv);
    MPI_Info_create(&info);
    MPI_Info_set(info, "colour", "red");
    MPI_Info_set(info, "shape", "a long and winding road");
    MPI_Info_set(info, "rank", rank ? "one" : "zero");
    MPI_Info_set(info, "colour", "green");
    show("info", info);
    MPI_Info_dup(info, &copy);
    MPI_Info_delete(info, "shape");
    show("deleted", info);
    MPI_Info_get(info, "shape", 99, value, &flag);
    CHECK(!flag);
    MPI_Info_get_nkeys(copy, &n);
    CHECK(n == 3);
#if MPI_VERSION >= 4
    int length = 100;
    MPI_Info_get_string(copy, "rank", &length, value, &flag);
    say("string: %s %d", value, length);
#endif
    MPI_Info_get(MPI_INFO_ENV, "maxprocs", 99, value, &flag);
    say("ranks of the job: %s", flag ? value : "not said");
    MPI_Info_get(MPI_INFO_ENV, "wdir", 99, value, &flag);
    say("its folder: %s", flag ? value : "not said");
    MPI_Info_free(&info);
    MPI_Info_free(&copy);
    CHECK(info == MPI_INFO_NULL);
    return finish();
}
