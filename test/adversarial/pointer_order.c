/*
 * Fields, each with its own communicator, are kept in the order of their addresses, and halos are exchanged field by field: ranks
 * whose allocators have put them in another order call the collectives in another order.
 *
 * check: -n 2: collective-comm error EXCHANGES
 * runs: -n 2: 1, merged 1
 * check: -n 2 --layout=same: none
 * runs: -n 2 --layout=same: 1, merged 1
 * check: -n 2 -- right: none
 * runs: -n 2 -- right: 1, merged 1
 * check: -n 3 -- right: none
 * runs: -n 3 -- right: 1, merged 1
 */
#include <mpi.h>
#include <stdlib.h>

enum { FIELDS = 3 };

struct field {
    MPI_Comm comm;
    int number;
    double value;
};

static int by_address(const void *a, const void *b)
{
    const struct field *one = *(struct field *const *)a, *other = *(struct field *const *)b;
    return one < other ? -1 : one > other;
}

static int by_number(const void *a, const void *b)
{
    return (*(struct field *const *)a)->number - (*(struct field *const *)b)->number;
}

int main(int argc, char **argv)
{
    struct field *field[FIELDS];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < FIELDS; i++) {
        field[i] = malloc(sizeof *field[i]);
        field[i]->number = i;
        field[i]->value = i;
        MPI_Comm_dup(MPI_COMM_WORLD, &field[i]->comm);
    }
    qsort(field, FIELDS, sizeof *field, argc > 1 ? by_number : by_address);
    for (int i = 0; i < FIELDS; i++) {
        double sum;
        MPI_Allreduce(&field[i]->value, &sum, 1, MPI_DOUBLE, MPI_SUM, field[i]->comm); /* EXCHANGES */
    }
    for (int i = 0; i < FIELDS; i++) {
        MPI_Comm_free(&field[i]->comm);
        free(field[i]);
    }
    MPI_Finalize();
    return 0;
}
