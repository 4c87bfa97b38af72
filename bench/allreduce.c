/* A sum over all ranks, each built on the one before: one blocking call per rank and iteration. */
#include "bench.h"

int main(int argc, char **argv)
{
    struct bench b = bench_open(argc, argv);
    double *mine = bench_buffer(&b), *sum = bench_buffer(&b);
    int n = b.bytes / (int)sizeof *mine, right = 1;
    for (long i = 0; i < b.iterations; i++) {
        for (int k = 0; k < n; k++)
            mine[k] = (double)(b.rank + i);
        MPI_Allreduce(mine, sum, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int k = 0; k < n; k++)
            right = right && sum[k] == (double)b.size * (b.size - 1) / 2 + (double)i * b.size;
    }
    free(mine);
    free(sum);
    return bench_close(right);
}
