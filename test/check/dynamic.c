/*
 * Ranks that start others, or meet them at a port, and what can be wrong with that.
 *
 * one run: yes
 * check: -n 1 -- missing: invalid-argument error SPAWN
 * check: -n 1 -- silent: deadlock error SPAWN
 * check: -n 2 -- one: deadlock error SPAWN
 * check: -n 1 -- early: deadlock error RECV
 * check: -n 1 -- kept: comm-leak warning SPAWN
 * check: -n 1 -- crash: crash error CRASH
 * check: -n 1 -- extra: lost-message warning EXTRA
 * check: -n 1 -- extra: buffering-deadlock error EXTRA
 * check: -n 1: none
 * check: -n 2: none
 * check: -n 2 -- alone: deadlock error ACCEPT
 * check: -n 2 -- crossed: deadlock error ACCEPT
 * check: -n 2 -- ports: none
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void be_child(MPI_Comm parents, const char *what)
{
    int number = 1;
    if (strcmp(what, "crash") == 0)
        abort(); /* CRASH */
    if (strcmp(what, "early") != 0)
        MPI_Send(&number, 1, MPI_INT, 0, 0, parents);
    if (strcmp(what, "extra") == 0)
        MPI_Send(&number, 1, MPI_INT, 0, 1, parents); /* EXTRA */
    if (strcmp(what, "kept") != 0)
        MPI_Comm_disconnect(&parents);
}

static void start_child(char *program, char *what, int rank)
{
    char *arguments[] = {what, "child", NULL};
    int number;
    MPI_Comm children;
    if (strcmp(what, "one") == 0 && rank == 1)
        return;
    if (strcmp(what, "missing") == 0)
        program = "/nowhere/nothing";
    MPI_Comm_spawn(program, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE); /* SPAWN */
    if (rank == 0)
        MPI_Recv(&number, 1, MPI_INT, 0, 0, children, MPI_STATUS_IGNORE); /* RECV */
    if (strcmp(what, "kept") != 0)
        MPI_Comm_disconnect(&children);
}

/* Two ports, one at each rank: both accept first, or only one does. */
static void meet(const char *what, int rank)
{
    char port[2][MPI_MAX_PORT_NAME] = {"", ""};
    MPI_Comm other;
    for (int i = 0; i < 2; i++) {
        if (rank == i)
            MPI_Open_port(MPI_INFO_NULL, port[i]);
        MPI_Bcast(port[i], MPI_MAX_PORT_NAME, MPI_CHAR, i, MPI_COMM_WORLD);
    }
    if (strcmp(what, "crossed") == 0 || rank == 0) {
        MPI_Comm_accept(port[rank], MPI_INFO_NULL, 0, MPI_COMM_SELF, &other); /* ACCEPT */
        MPI_Comm_disconnect(&other);
    } else if (strcmp(what, "ports") == 0) {
        MPI_Comm_connect(port[0], MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
        MPI_Comm_disconnect(&other);
    }
    MPI_Close_port(port[rank]);
}

int main(int argc, char **argv)
{
    int rank;
    char *what = argc > 1 ? argv[1] : "spawn";
    MPI_Comm parents;
    if (argc > 2 && strcmp(what, "silent") == 0)
        return 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parents);
    if (parents != MPI_COMM_NULL)
        be_child(parents, what);
    else if (strcmp(what, "alone") == 0 || strcmp(what, "crossed") == 0 || strcmp(what, "ports") == 0)
        meet(what, rank);
    else
        start_child(argv[0], what, rank);
    MPI_Finalize();
    return 0;
}
