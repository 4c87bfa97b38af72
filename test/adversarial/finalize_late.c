/*
 * MPI_Finalize is called when the program ends: by handlers that were registered before or after MPI_Init, by a
 * destructor function, in quick_exit, or by a function that ends the program itself.
 *
 * check: -n 2 -- before: none
 * runs: -n 2 -- before: 1, merged 1
 * check: -n 2 -- after: none
 * runs: -n 2 -- after: 1, merged 1
 * check: -n 2 -- destructor: none
 * runs: -n 2 -- destructor: 1, merged 1
 * check: -n 2 -- told: none
 * runs: -n 2 -- told: 1, merged 1
 * check: -n 2 -- quick: none
 * runs: -n 2 -- quick: 1, merged 1
 * check: -n 2 -- exit: none
 * runs: -n 2 -- exit: 1, merged 1
 * check: -n 2 -- never: no-finalize error -
 * runs: -n 2 -- never: 1, merged 1
 * check: -n 2 -- passed: no-finalize error -
 * runs: -n 2 -- passed: 1, merged 1
 * check: -n 2 -- code: exit-code error -
 * runs: -n 2 -- code: 1, merged 1
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *how;

static int is(const char *word)
{
    return how && strcmp(how, word) == 0;
}

static void finalize(void)
{
    MPI_Finalize();
}

static void finalize_and_tell(int code, void *unused)
{
    (void)unused;
    MPI_Finalize();
    if (code != 5)
        _exit(1);
    _exit(0);
}

static void change_code(void)
{
    MPI_Finalize();
    _exit(9);
}

__attribute__((destructor)) static void at_the_end(void)
{
    if (is("destructor") || is("passed"))
        MPI_Finalize();
}

int main(int argc, char **argv)
{
    int rank;

    how = argv[1];
    if (is("before"))
        atexit(finalize);
    if (is("told"))
        on_exit(finalize_and_tell, NULL);
    if (is("code"))
        atexit(change_code);
    MPI_Init(&argc, &argv);
    if (is("after"))
        atexit(finalize);
    if (is("quick"))
        at_quick_exit(finalize);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (is("quick"))
        quick_exit(0);
    if (is("told"))
        exit(5);
    if (is("passed"))
        _exit(0);
    if (is("exit")) {
        MPI_Finalize();
        exit(0);
    }
    return 0;
}
