/*
 * The same with persistent collectives, whose results are compared with those of blocking ones.
 *
 * run: -n 2
 * mpi: mpich
 * compare: none
 */
#define PERSISTENT
#include "large_count_all.c"
