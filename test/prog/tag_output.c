/*
 * Output with the rank in front of every line, also of long and unended ones.
 *
 * run: -n 2
 * options: --tag-output
 * compare: none
 * expect: "[0] the first of 0"
 * expect: "[1] the first of 1"
 * expect: "[1] without end"
 * expect: "[0] to stderr"
 */
#include "check.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    printf("the first of %d\nthe second of %d\n", rank, rank);
    fflush(stdout);
    fprintf(stderr, "to stderr\n");
    MPI_Barrier(MPI_COMM_WORLD);
    printf("without end");
    return finish();
}
