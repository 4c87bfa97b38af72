/*
 * Init_thread at each level: a valid level comes back, Query_thread agrees.
 * The level itself is not printed: it belongs to the library.
 *
 * run: -n 2 0
 * run: -n 2 1
 * run: -n 2 2
 * run: -n 2 3
 */
#include "check.h"

int main(int argc, char **argv)
{
    static const int levels[4] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                                  MPI_THREAD_MULTIPLE};
    int required = levels[atoi(argv[1])], provided = -1, level, main_thread, sum;

    CHECK(levels[0] < levels[1] && levels[1] < levels[2] && levels[2] < levels[3]);
    MPI_Init_thread(&argc, &argv, required, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Query_thread(&level);
    MPI_Is_thread_main(&main_thread);
    CHECK(level == provided && provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
    MPI_Allreduce(&argc, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("main thread %d, arguments %d, first %s", main_thread, sum, argv[1]);
    return finish();
}
