/*
 * User-defined operators, commutative and not, on builtin and derived types.
 *
 * Operands that do not commute must be combined in rank order, whatever the
 * root and the bracketing: 2x2 matrices and "first wins" show it.
 *
 * run: -n 4
 */
#include "check.h"

struct matrix {
    int a, b, c, d;
};

static int calls, wrong_type;
static MPI_Datatype matrix_type;

static void multiply(void *in, void *inout, int *n, MPI_Datatype *type)
{
    struct matrix *x = in, *y = inout;

    calls++;
    wrong_type |= *type != matrix_type;
    for (int i = 0; i < *n; i++) {
        struct matrix z = {x[i].a * y[i].a + x[i].b * y[i].c, x[i].a * y[i].b + x[i].b * y[i].d,
                           x[i].c * y[i].a + x[i].d * y[i].c, x[i].c * y[i].b + x[i].d * y[i].d};
        y[i] = z;
    }
}

static void first(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    memcpy(inout, in, *n * sizeof(int));
}

static void absolute_maximum(void *in, void *inout, int *n, MPI_Datatype *type)
{
    int *x = in, *y = inout;

    (void)type;
    for (int i = 0; i < *n; i++)
        if (abs(x[i]) > abs(y[i]) || (abs(x[i]) == abs(y[i]) && x[i] > y[i]))
            y[i] = x[i];
}

static void show(const char *what, const struct matrix *m)
{
    say("%s %d %d %d %d", what, m->a, m->b, m->c, m->d);
}

static void matrices(MPI_Op times)
{
    struct matrix mine[2] = {{1, rank, 1, 1}, {rank, 1, 1, 0}}, product[2], own;
    struct matrix blocks[8];

    for (int root = 0; root < size; root += size - 1) {
        MPI_Reduce(mine, product, 2, matrix_type, times, root, MPI_COMM_WORLD);
        if (rank == root) {
            show("reduce", &product[0]);
            show("reduce", &product[1]);
        }
    }
    MPI_Allreduce(mine, product, 2, matrix_type, times, MPI_COMM_WORLD);
    show("allreduce", &product[0]);
    MPI_Scan(mine, product, 2, matrix_type, times, MPI_COMM_WORLD);
    show("scan", &product[1]);
    MPI_Exscan(mine, product, 2, matrix_type, times, MPI_COMM_WORLD);
    if (rank)
        show("exscan", &product[1]);
    for (int r = 0; r < size; r++)
        blocks[r] = (struct matrix){1, r, rank, 1};
    MPI_Reduce_scatter_block(blocks, &own, 1, matrix_type, times, MPI_COMM_WORLD);
    show("reduce_scatter_block", &own);
    CHECK(calls > 0 && !wrong_type);
}

int main(int argc, char **argv)
{
    MPI_Op times, leftmost, farthest;
    int v[2], out[2], commutes[2];

    begin(&argc, &argv);
    MPI_Type_contiguous(4, MPI_INT, &matrix_type);
    MPI_Type_commit(&matrix_type);
    MPI_Op_create(multiply, 0, &times);
    MPI_Op_create(first, 0, &leftmost);
    MPI_Op_create(absolute_maximum, 1, &farthest);
    MPI_Op_commutative(times, &commutes[0]);
    MPI_Op_commutative(farthest, &commutes[1]);
    say_ints("commutative", commutes, 2);

    matrices(times);
    v[0] = 50 + rank, v[1] = rank % 2 ? -9 - rank : rank;
    MPI_Allreduce(v, out, 2, MPI_INT, leftmost, MPI_COMM_WORLD);
    say_ints("leftmost", out, 2);
    CHECK(out[0] == 50);
    MPI_Allreduce(v, out, 2, MPI_INT, farthest, MPI_COMM_WORLD);
    say_ints("farthest", out, 2);
    CHECK(out[1] == -12);
    /* inout = in op inout, without any communication. */
    out[0] = 3, out[1] = 4;
    MPI_Reduce_local(v, out, 2, MPI_INT, MPI_SUM);
    say_ints("reduce_local", out, 2);

    MPI_Op_free(&times);
    MPI_Op_free(&leftmost);
    MPI_Op_free(&farthest);
    CHECK(times == MPI_OP_NULL);
    MPI_Type_free(&matrix_type);
    return finish();
}
