/*
 * Every rank crashes before MPI_Init.
 *
 * run: -n 2
 * compare: none
 * exit: 139
 * expect: "signal 11" "before MPI_Init"
 */
#include "check.h"

static int *volatile nowhere;

int main(int argc, char **argv)
{
    *nowhere = 1;
    begin(&argc, &argv);
    return finish();
}
