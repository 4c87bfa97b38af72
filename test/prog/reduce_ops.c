/*
 * MINLOC and MAXLOC on all pair types; logical and bitwise operators.
 *
 * run: -n 3
 */
#include "check.h"

#define LOCATE(value_type, mpi_type)                                                      \
    do {                                                                                  \
        struct {                                                                          \
            value_type value;                                                             \
            int where;                                                                    \
        } in_, min_, max_;                                                                \
        memset(&in_, 0, sizeof in_);                                                      \
        in_.value = (value_type)((rank * 2 + 1) % 3);                                     \
        in_.where = 10 * rank;                                                            \
        MPI_Allreduce(&in_, &min_, 1, mpi_type, MPI_MINLOC, MPI_COMM_WORLD);              \
        MPI_Allreduce(&in_, &max_, 1, mpi_type, MPI_MAXLOC, MPI_COMM_WORLD);              \
        say(#mpi_type " min %d at %d, max %d at %d", (int)min_.value, min_.where,         \
            (int)max_.value, max_.where);                                                 \
        CHECK(min_.value == 0 && max_.value == 2);                                        \
    } while (0)

static void locations(void)
{
    struct {
        int value, where;
    } in = {7, size - rank}, out;

    LOCATE(float, MPI_FLOAT_INT);
    LOCATE(double, MPI_DOUBLE_INT);
    LOCATE(long, MPI_LONG_INT);
    LOCATE(int, MPI_2INT);
    LOCATE(short, MPI_SHORT_INT);
    LOCATE(long double, MPI_LONG_DOUBLE_INT);
    /* Equal values: the lowest index wins, both ways. */
    MPI_Allreduce(&in, &out, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    say("tie: %d at %d", out.value, out.where);
    CHECK(out.where == 1);
}

static void logical_and_bitwise(void)
{
    static const struct {
        const char *name;
        MPI_Op op;
    } ops[] = {{"land", MPI_LAND}, {"lor", MPI_LOR},   {"lxor", MPI_LXOR},
               {"band", MPI_BAND}, {"bor", MPI_BOR},   {"bxor", MPI_BXOR},
               {"min", MPI_MIN},   {"max", MPI_MAX}};
    int in[4] = {rank, rank + 1, 0, 12 | 1 << rank}, out[4];
    unsigned char byte = (unsigned char)(0x81 | rank), bytes;

    for (int i = 0; i < LENGTH(ops); i++) {
        MPI_Allreduce(in, out, 4, MPI_INT, ops[i].op, MPI_COMM_WORLD);
        for (int k = 0; k < 4 && i < 3; k++)
            out[k] = !!out[k];
        say_ints(ops[i].name, out, 4);
    }
    MPI_Allreduce(&byte, &bytes, 1, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD);
    say("byte bxor %d", bytes);
    CHECK(bytes == (0x81 ^ 0x81 ^ 0x83));
}

/* Reductions to a root, with an operand that only the root changes. */
static void rooted(void)
{
    struct {
        double value;
        int where;
    } best = {rank == 1 ? -1.5 : rank, rank};

    if (rank == 2) {
        MPI_Reduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE_INT, MPI_MINLOC, 2, MPI_COMM_WORLD);
        say("least %g at %d", best.value, best.where);
        CHECK(best.where == 1);
    } else {
        MPI_Reduce(&best, NULL, 1, MPI_DOUBLE_INT, MPI_MINLOC, 2, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    locations();
    logical_and_bitwise();
    rooted();
    return finish();
}
