/*
 * Operators on types for which MPI does not define them; each library does some of these all the same.
 * A pair is forbidden by the standard's table, not by what a library happens to do.
 *
 * check: -n 2 -- sum-char: operator-type error CALL
 * runs: -n 2 -- sum-char: 1, merged 1
 * check: -n 2 -- lxor-float: operator-type error CALL
 * runs: -n 2 -- lxor-float: 1, merged 1
 * check: -n 2 -- prod-byte: operator-type error CALL
 * runs: -n 2 -- prod-byte: 1, merged 1
 * check: -n 2 -- max-wchar: operator-type error CALL
 * runs: -n 2 -- max-wchar: 1, merged 1
 * check: -n 2 -- max-complex: operator-type error CALL
 * runs: -n 2 -- max-complex: 1, merged 1
 * check: -n 2 -- sum-bool: operator-type error CALL
 * runs: -n 2 -- sum-bool: 1, merged 1
 * check: -n 2 -- land-aint: operator-type error CALL
 * runs: -n 2 -- land-aint: 1, merged 1
 * check: -n 2 -- bor-double: operator-type error CALL
 * runs: -n 2 -- bor-double: 1, merged 1
 * check: -n 2 -- minloc-int: operator-type error CALL
 * runs: -n 2 -- minloc-int: 1, merged 1
 * check: -n 2 -- sum-2int: operator-type error CALL
 * runs: -n 2 -- sum-2int: 1, merged 1
 * check: -n 2 -- sum-two: operator-type error CALL
 * runs: -n 2 -- sum-two: 1, merged 1
 * check: -n 2 -- replace-int: operator-type error CALL
 * runs: -n 2 -- replace-int: 1, merged 1
 */
#include <mpi.h>
#include <string.h>

struct choice {
    const char *name;
    MPI_Op op;
    MPI_Datatype type;
};

int main(int argc, char **argv)
{
    char in[64] = {0}, out[64];
    MPI_Datatype two;

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    struct choice choices[] = {
        {"sum-char", MPI_SUM, MPI_CHAR},          {"lxor-float", MPI_LXOR, MPI_FLOAT}, {"prod-byte", MPI_PROD, MPI_BYTE},
        {"max-wchar", MPI_MAX, MPI_WCHAR},        {"max-complex", MPI_MAX, MPI_C_DOUBLE_COMPLEX},
        {"sum-bool", MPI_SUM, MPI_C_BOOL},        {"land-aint", MPI_LAND, MPI_AINT},   {"bor-double", MPI_BOR, MPI_DOUBLE},
        {"minloc-int", MPI_MINLOC, MPI_INT},      {"sum-2int", MPI_SUM, MPI_2INT},     {"sum-two", MPI_SUM, two},
        {"replace-int", MPI_REPLACE, MPI_INT},
    };
    for (int i = 0; i < (int)(sizeof choices / sizeof *choices); i++)
        if (!strcmp(choices[i].name, argv[1]))
            MPI_Allreduce(in, out, 1, choices[i].type, choices[i].op, MPI_COMM_WORLD); /* CALL */
    MPI_Type_free(&two);
    MPI_Finalize();
    return 0;
}
