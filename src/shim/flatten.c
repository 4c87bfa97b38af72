#include "shim/flatten.h"

#include "shim/library.h"

#include <stdlib.h>

/*
 * Basic types are those of the standard that a program can name; two names of one
 * type are one.  What is not listed here is BASIC_OTHER and fits anything.
 */
#define BASIC_TYPES(X)                                                                                                 \
    X(CHAR) X(SIGNED_CHAR) X(UNSIGNED_CHAR) X(SHORT) X(UNSIGNED_SHORT) X(INT) X(UNSIGNED) X(LONG) X(UNSIGNED_LONG)     \
    X(LONG_LONG_INT) X(UNSIGNED_LONG_LONG) X(FLOAT) X(DOUBLE) X(LONG_DOUBLE) X(WCHAR) X(C_BOOL)                        \
    X(INT8_T) X(INT16_T) X(INT32_T) X(INT64_T) X(UINT8_T) X(UINT16_T) X(UINT32_T) X(UINT64_T)                          \
    X(AINT) X(OFFSET) X(COUNT) X(C_FLOAT_COMPLEX) X(C_DOUBLE_COMPLEX) X(C_LONG_DOUBLE_COMPLEX)                         \
    X(INTEGER) X(REAL) X(DOUBLE_PRECISION) X(COMPLEX) X(DOUBLE_COMPLEX) X(LOGICAL) X(CHARACTER)

enum {
    BASIC_LAST_OF_CALL = BASIC_OTHER,
#define X(name) BASIC_##name,
    BASIC_TYPES(X)
#undef X
};

/* A pair is the struct of its two. */
#define PAIR_TYPES(X)                                                                                                  \
    X(FLOAT_INT, FLOAT, INT) X(DOUBLE_INT, DOUBLE, INT) X(LONG_INT, LONG, INT) X(SHORT_INT, SHORT, INT)                \
    X(LONG_DOUBLE_INT, LONG_DOUBLE, INT) X(2INT, INT, INT) X(2INTEGER, INTEGER, INTEGER) X(2REAL, REAL, REAL)          \
    X(2DOUBLE_PRECISION, DOUBLE_PRECISION, DOUBLE_PRECISION)

static uint32_t size_of(MPI_Datatype type)
{
    int size;
    real_must(Type_size, type, &size);
    return (uint32_t)size;
}

static uint32_t basic_of(MPI_Datatype type)
{
    if (type == MPI_BYTE)
        return BASIC_BYTE;
    if (type == MPI_PACKED)
        return BASIC_PACKED;
    if (type == MPI_C_COMPLEX)
        return BASIC_C_FLOAT_COMPLEX;
#define X(name)                                                                                                        \
    if (type == MPI_##name)                                                                                            \
        return BASIC_##name;
    BASIC_TYPES(X)
#undef X
    return BASIC_OTHER;
}

static void add_named(MPI_Datatype type, struct signature *to)
{
    if (size_of(type) == 0)
        return; /* MPI_LB, MPI_UB */
#define X(name, first, second)                                                                                         \
    if (type == MPI_##name) {                                                                                          \
        signature_add_basic(to, BASIC_##first, size_of(MPI_##first));                                                  \
        signature_add_basic(to, BASIC_##second, size_of(MPI_##second));                                                \
        return;                                                                                                        \
    }
    PAIR_TYPES(X)
#undef X
    signature_add_basic(to, basic_of(type), size_of(type));
}

bool flatten_is_derived(MPI_Datatype type)
{
    int ints, addresses, types, combiner;
    real_must(Type_get_envelope, type, &ints, &addresses, &types, &combiner);
    return combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_INTEGER &&
           combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_COMPLEX;
}

void flatten_give_back(MPI_Datatype type)
{
    if (flatten_is_derived(type))
        real_must(Type_free, &type);
}

/* Only a struct has several types inside; any other repeats its one as often as fits its size. */
static void add_contents(MPI_Datatype type, struct signature *to, int combiner, int ints, int addresses, int types)
{
    int *integer = shim_alloc((ints + 1) * sizeof *integer);
    MPI_Aint *address = shim_alloc((addresses + 1) * sizeof *address);
    MPI_Datatype *old = shim_alloc(types * sizeof *old);
    real_must(Type_get_contents, type, ints, addresses, types, integer, address, old);
    bool is_struct = combiner == MPI_COMBINER_STRUCT;
    MPI_Count size;
    real_must(Type_size_x, type, &size);
    for (int i = 0; i < types; i++) {
        struct signature inner = {0};
        flatten(old[i], &inner);
        uint64_t whole = inner.bytes ? (uint64_t)size / inner.bytes : 0;
        signature_add(to, &inner, is_struct ? (uint64_t)integer[i + 1] : whole);
        flatten_give_back(old[i]);
    }
    free(integer);
    free(address);
    free(old);
}

/* What its parts are cannot be asked for: it fits anything. */
static void add_opaque(MPI_Datatype type, struct signature *to)
{
    MPI_Count size;
    struct signature byte = {0};
    real_must(Type_size_x, type, &size);
    signature_add_basic(&byte, BASIC_OTHER, 1);
    signature_add(to, &byte, (uint64_t)size);
}

void flatten(MPI_Datatype type, struct signature *to)
{
    int ints, addresses, types, combiner;
    real_must(Type_get_envelope, type, &ints, &addresses, &types, &combiner);
    if (combiner == MPI_COMBINER_NAMED)
        add_named(type, to);
    else if (types < 1)
        add_opaque(type, to);
    else
        add_contents(type, to, combiner, ints, addresses, types);
}
