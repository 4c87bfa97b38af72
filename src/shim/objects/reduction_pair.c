#include "shim/objects/reduction_pair.h"

#include "call/operators.h"
#include "shim/core/library_code.h"
#include "shim/objects/type_contents.h"

/* Optional types that a library lacks are MPI_DATATYPE_NULL in one, and not defined in the other. */
#define C_INTEGERS(X)                                                                                                  \
    X(INT) X(LONG) X(SHORT) X(UNSIGNED_SHORT) X(UNSIGNED) X(UNSIGNED_LONG) X(LONG_LONG_INT) X(UNSIGNED_LONG_LONG)      \
    X(SIGNED_CHAR) X(UNSIGNED_CHAR) X(INT8_T) X(INT16_T) X(INT32_T) X(INT64_T) X(UINT8_T) X(UINT16_T) X(UINT32_T)      \
    X(UINT64_T)
#define FORTRAN_INTEGERS(X) X(INTEGER) X(INTEGER1) X(INTEGER2) X(INTEGER4) X(INTEGER8)
#define FLOATING_POINTS(X)                                                                                             \
    X(FLOAT) X(DOUBLE) X(REAL) X(DOUBLE_PRECISION) X(LONG_DOUBLE) X(REAL4) X(REAL8) X(REAL16)
#define LOGICALS(X) X(LOGICAL) X(C_BOOL) X(CXX_BOOL)
#define COMPLEXES(X)                                                                                                   \
    X(COMPLEX) X(C_COMPLEX) X(C_FLOAT_COMPLEX) X(C_DOUBLE_COMPLEX) X(C_LONG_DOUBLE_COMPLEX) X(CXX_FLOAT_COMPLEX)       \
    X(CXX_DOUBLE_COMPLEX) X(CXX_LONG_DOUBLE_COMPLEX) X(DOUBLE_COMPLEX) X(COMPLEX8) X(COMPLEX16) X(COMPLEX32)
#define MULTI_LANGUAGES(X) X(AINT) X(OFFSET) X(COUNT)
#define PAIRS(X)                                                                                                       \
    X(FLOAT_INT) X(DOUBLE_INT) X(LONG_INT) X(2INT) X(SHORT_INT) X(LONG_DOUBLE_INT) X(2REAL) X(2DOUBLE_PRECISION)       \
    X(2INTEGER)
#define OTHERS(X) X(CHAR) X(WCHAR) X(CHARACTER) X(PACKED)

static enum reduction_group group_of_named(MPI_Datatype type)
{
    if (type == MPI_BYTE)
        return GROUP_BYTE;
#define FIND_IN(TYPES, group)                                                                                          \
    if (TYPES(IS_TYPE) 0)                                                                                              \
        return group;
#define IS_TYPE(name) type == MPI_##name ||
    FIND_IN(C_INTEGERS, GROUP_C_INTEGER)
    FIND_IN(FORTRAN_INTEGERS, GROUP_FORTRAN_INTEGER)
    FIND_IN(FLOATING_POINTS, GROUP_FLOATING_POINT)
    FIND_IN(LOGICALS, GROUP_LOGICAL)
    FIND_IN(COMPLEXES, GROUP_COMPLEX)
    FIND_IN(MULTI_LANGUAGES, GROUP_MULTI_LANGUAGE)
    FIND_IN(PAIRS, GROUP_PAIR)
    FIND_IN(OTHERS, GROUP_NONE)
#undef IS_TYPE
#undef FIND_IN
    return GROUP_UNKNOWN;
}

enum reduction_group reduction_group_of(MPI_Datatype type)
{
    switch (type_envelope_of(type).combiner) {
    case MPI_COMBINER_NAMED:
        return group_of_named(type);
    case MPI_COMBINER_F90_INTEGER:
        return GROUP_FORTRAN_INTEGER;
    case MPI_COMBINER_F90_REAL:
        return GROUP_FLOATING_POINT;
    case MPI_COMBINER_F90_COMPLEX:
        return GROUP_COMPLEX;
    default:
        return GROUP_DERIVED;
    }
}

bool reduction_pair_is_allowed(uint32_t number, enum reduction_group group)
{
    enum {
        INTEGERS = 1 << GROUP_C_INTEGER | 1 << GROUP_FORTRAN_INTEGER | 1 << GROUP_MULTI_LANGUAGE,
        ORDERED = INTEGERS | 1 << GROUP_FLOATING_POINT,
        NUMBERS = ORDERED | 1 << GROUP_COMPLEX,
        TRUTHS = 1 << GROUP_C_INTEGER | 1 << GROUP_LOGICAL,
        BITS = INTEGERS | 1 << GROUP_BYTE,
    };
    static const int allowed[] = {
        [OPERATOR_MAX] = ORDERED,          [OPERATOR_MIN] = ORDERED,
        [OPERATOR_SUM] = NUMBERS,          [OPERATOR_PROD] = NUMBERS,
        [OPERATOR_LAND] = TRUTHS,          [OPERATOR_LOR] = TRUTHS,
        [OPERATOR_LXOR] = TRUTHS,          [OPERATOR_BAND] = BITS,
        [OPERATOR_BOR] = BITS,             [OPERATOR_BXOR] = BITS,
        [OPERATOR_MAXLOC] = 1 << GROUP_PAIR, [OPERATOR_MINLOC] = 1 << GROUP_PAIR,
        [OPERATOR_REPLACE] = 0,            [OPERATOR_NO_OP] = 0, /* for one-sided communication only */
    };
    bool predefined = number != OPERATOR_NONE && number < sizeof allowed / sizeof *allowed;
    return !predefined || group == GROUP_UNKNOWN || allowed[number] >> group & 1;
}
