/*
 * Members that agree on the bytes and not on the type; the twin has four ints on one side
 * and two pairs of ints on the other, which is the same to MPI.
 *
 * check: -n 2 -- bcast: collective-type error BCAST
 * check: -n 2 -- reduce: collective-type error REDUCE
 * check: -n 2 -- bcast right: none
 * check: -n 2 -- reduce right: none
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    _Alignas(8) char v[16] = {0}, w[16];
    MPI_Datatype pair, type = MPI_INT;
    int count = 4;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank == 1 && argc == 2)
        type = MPI_FLOAT;
    if (argv[1][0] == 'b' && rank == 1 && argc == 3) {
        type = pair;
        count = 1;
    }
    if (argv[1][0] == 'b')
        MPI_Bcast(v, count == 1 ? 1 : argc == 3 ? 2 : 4, type, 0, MPI_COMM_WORLD); /* BCAST */
    else
        MPI_Allreduce(v, w, 4, type, MPI_SUM, MPI_COMM_WORLD); /* REDUCE */
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
