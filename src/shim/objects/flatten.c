#include "shim/objects/flatten.h"

#include "shim/core/library_code.h"
#include "shim/objects/type_contents.h"

#include <stdlib.h>

/*
 * Basic types are those of the standard that a program can name; two names of one
 * type are one.  What is not listed here is BASIC_OTHER and fits anything.
 */
#define BASIC_TYPES(X)                                                                                                 \
    X(CHAR, ANY) X(SIGNED_CHAR, ANY) X(UNSIGNED_CHAR, ANY) X(SHORT, INTEGER) X(UNSIGNED_SHORT, INTEGER)                \
    X(INT, INTEGER) X(UNSIGNED, INTEGER) X(LONG, INTEGER) X(UNSIGNED_LONG, INTEGER) X(LONG_LONG_INT, INTEGER)          \
    X(UNSIGNED_LONG_LONG, INTEGER) X(FLOAT, FLOAT) X(DOUBLE, FLOAT) X(LONG_DOUBLE, FLOAT) X(WCHAR, INTEGER)            \
    X(C_BOOL, ANY) X(INT8_T, ANY) X(INT16_T, INTEGER) X(INT32_T, INTEGER) X(INT64_T, INTEGER) X(UINT8_T, ANY)          \
    X(UINT16_T, INTEGER) X(UINT32_T, INTEGER) X(UINT64_T, INTEGER) X(AINT, INTEGER) X(OFFSET, INTEGER)                 \
    X(COUNT, INTEGER) X(C_FLOAT_COMPLEX, COMPLEX) X(C_DOUBLE_COMPLEX, COMPLEX) X(C_LONG_DOUBLE_COMPLEX, COMPLEX)       \
    X(INTEGER, INTEGER) X(REAL, FLOAT) X(DOUBLE_PRECISION, FLOAT) X(COMPLEX, COMPLEX) X(DOUBLE_COMPLEX, COMPLEX)       \
    X(LOGICAL, ANY) X(CHARACTER, ANY)

enum {
    BASIC_LAST_OF_CALL = BASIC_OTHER,
#define X(name, kind) BASIC_##name,
    BASIC_TYPES(X)
#undef X
};

struct flatten_kind flatten_kind(uint32_t basic, uint32_t size)
{
    enum { ANY, INTEGER, FLOAT, COMPLEX };
    static const struct {
        const char *name;
        int kind;
    } all[] = {
#define X(name, kind) [BASIC_##name] = {"MPI_" #name, kind},
        BASIC_TYPES(X)
#undef X
    };
    static const enum number_kind number[] = {NUMBER_ANY, NUMBER_INTEGER, NUMBER_FLOAT, NUMBER_FLOAT};
    if (basic >= sizeof all / sizeof *all || !all[basic].name)
        return (struct flatten_kind){NUMBER_ANY, size, "a type of the library's own"};
    return (struct flatten_kind){number[all[basic].kind], all[basic].kind == COMPLEX ? size / 2 : size, all[basic].name};
}

/* A pair is the struct of its two. */
#define PAIR_TYPES(X)                                                                                                  \
    X(FLOAT_INT, FLOAT, INT) X(DOUBLE_INT, DOUBLE, INT) X(LONG_INT, LONG, INT) X(SHORT_INT, SHORT, INT)                \
    X(LONG_DOUBLE_INT, LONG_DOUBLE, INT) X(2INT, INT, INT) X(2INTEGER, INTEGER, INTEGER) X(2REAL, REAL, REAL)          \
    X(2DOUBLE_PRECISION, DOUBLE_PRECISION, DOUBLE_PRECISION)

static uint32_t size_of_datatype(MPI_Datatype type)
{
    int size;
    real_must(Type_size, type, &size);
    return (uint32_t)size;
}

uint32_t flatten_basic(MPI_Datatype type)
{
    if (type == MPI_BYTE)
        return BASIC_BYTE;
    if (type == MPI_PACKED)
        return BASIC_PACKED;
    if (type == MPI_C_COMPLEX)
        return BASIC_C_FLOAT_COMPLEX;
#define X(name, kind)                                                                                                  \
    if (type == MPI_##name)                                                                                            \
        return BASIC_##name;
    BASIC_TYPES(X)
#undef X
    return BASIC_OTHER;
}

static void add_named_type(MPI_Datatype type, struct signature *to)
{
    if (size_of_datatype(type) == 0)
        return; /* MPI_LB, MPI_UB */
#define X(name, first, second)                                                   \
    if (type == MPI_##name) {                                                    \
        signature_add_basic(to, BASIC_##first, size_of_datatype(MPI_##first));   \
        signature_add_basic(to, BASIC_##second, size_of_datatype(MPI_##second)); \
        return;                                                                  \
    }
    PAIR_TYPES(X)
#undef X
    signature_add_basic(to, flatten_basic(type), size_of_datatype(type));
}

bool flatten_is_derived(MPI_Datatype type)
{
    int combiner = type_envelope_of(type).combiner;
    return combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_INTEGER &&
           combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_COMPLEX;
}

void flatten_give_back(MPI_Datatype type)
{
    if (flatten_is_derived(type))
        real_must(Type_free, &type);
}

/* Only a struct has several types inside; any other repeats its one as often as fits its size. */
static void add_type_contents(MPI_Datatype type, struct signature *to, const struct type_envelope *envelope)
{
    struct type_contents c;
    bool is_struct = envelope->combiner == MPI_COMBINER_STRUCT;
    MPI_Count size;
    real_must(Type_size_x, type, &size);
    library_check("MPI_Type_get_contents", type_contents_get(&c, type, envelope) ? MPI_SUCCESS : MPI_ERR_TYPE);
    for (int i = 0; i < c.types; i++) {
        struct signature inner = {0};
        flatten(c.type[i], &inner);
        uint64_t whole = inner.bytes ? (uint64_t)size / inner.bytes : 0;
        signature_add(to, &inner, is_struct ? (uint64_t)c.integer[i + 1] : whole);
        flatten_give_back(c.type[i]);
    }
    type_contents_release(&c);
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
    struct type_envelope envelope = type_envelope_of(type);
    if (envelope.combiner == MPI_COMBINER_NAMED)
        add_named_type(type, to);
    else if (envelope.types < 1)
        add_opaque(type, to);
    else
        add_type_contents(type, to, &envelope);
}
