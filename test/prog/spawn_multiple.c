/*
 * Several commands in one world, in a folder of their own; and what cannot be started.
 *
 * run: -n 1 {tmp}
 * compare: openmpi
 * timeout: 120
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char **argv)
{
    int flag, *application;
    char here[PATH_MAX];
    MPI_Comm parents, children;
    begin(&argc, &argv);
    MPI_Comm_get_parent(&parents);
    if (parents == MPI_COMM_NULL) {
        char *commands[] = {argv[0], argv[0]}, *first[] = {"first", NULL}, **arguments[] = {first, MPI_ARGV_NULL};
        int most[] = {1, 2}, codes[3] = {-1, -1, -1};
        MPI_Info info, infos[2];
        MPI_Info_create(&info);
        MPI_Info_set(info, "wdir", "/");
        infos[0] = MPI_INFO_NULL;
        infos[1] = info;
        MPI_Comm_spawn_multiple(2, commands, arguments, most, infos, 0, MPI_COMM_SELF, &children, codes);
        for (int i = 0; i < 3; i++)
            CHECK(codes[i] == MPI_SUCCESS);
        MPI_Barrier(children);
        MPI_Comm_disconnect(&children);
        MPI_Info_free(&info);
    } else {
        MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &application, &flag);
        if (!getcwd(here, sizeof here))
            here[0] = 0;
        printf("child %d of %d: application %d, %d arguments, '%s', %s\n", rank, size, flag ? *application : -1, argc - 1,
               argc > 1 ? argv[1] : "", strcmp(here, "/") == 0 ? "in /" : "elsewhere");
        MPI_Barrier(parents);
        MPI_Comm_disconnect(&parents);
    }
    return finish();
}
