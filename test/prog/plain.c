/*
 * Not an MPI program at all: it runs, and tourney says that it never met MPI.
 *
 * run: -n 2 hello
 * build: plain
 * compare: none
 * exit: 3
 * expect: "no rank called MPI_Init"
 */
#include <stdio.h>

int main(int argc, char **argv)
{
    printf("%s %d\n", argv[1], argc);
    return 0;
}
