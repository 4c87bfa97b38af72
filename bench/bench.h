/* bench -- what the programs share: two arguments, and an end that says if the data were right. */
#ifndef BENCH_H
#define BENCH_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct bench {
    int rank, size;
    long iterations;
    int bytes;
};

static inline struct bench bench_open(int argc, char **argv)
{
    struct bench bench;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &bench.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &bench.size);
    if (argc != 3) {
        fprintf(stderr, "usage: %s ITERATIONS BYTES\n", argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    bench.iterations = atol(argv[1]);
    bench.bytes = atoi(argv[2]);
    return bench;
}

static inline void *bench_buffer(const struct bench *bench)
{
    void *buffer = calloc(1, bench->bytes > 0 ? bench->bytes : 1);
    if (!buffer)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return buffer;
}

static inline int bench_close(int right)
{
    MPI_Finalize();
    return right ? 0 : 1;
}

#endif
