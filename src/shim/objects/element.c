#include "shim/objects/element.h"

#include <stdlib.h>

#include "call/operators.h"
#include "shim/core/library_code.h"
#include "shim/objects/flatten.h"
#include "shim/objects/type_contents.h"

static MPI_Datatype basic_of_contents(MPI_Datatype type, const struct type_envelope *envelope)
{
    MPI_Datatype basic = MPI_DATATYPE_NULL;
    struct type_contents c;
    type_contents_get(&c, type, envelope);
    for (int i = 0; i < c.types; i++) {
        MPI_Datatype inner = element_basic(c.type[i]);
        basic = i == 0 || inner == basic ? inner : MPI_DATATYPE_NULL;
        flatten_give_back(c.type[i]);
        if (basic == MPI_DATATYPE_NULL) {
            while (++i < c.types)
                flatten_give_back(c.type[i]);
        }
    }
    type_contents_release(&c);
    return basic;
}

MPI_Datatype element_basic(MPI_Datatype type)
{
    struct type_envelope envelope = type_envelope_of(type);
    bool basic = envelope.combiner == MPI_COMBINER_NAMED || !flatten_is_derived(type);
    return basic ? type : envelope.types < 1 ? MPI_DATATYPE_NULL : basic_of_contents(type, &envelope);
}

bool element_is_same(MPI_Datatype basic, MPI_Datatype other)
{
    if (basic == other || other == MPI_DATATYPE_NULL)
        return basic == other;
    return flatten_basic(basic) > BASIC_OTHER && flatten_basic(basic) == flatten_basic(other);
}

/* ---- numbers ---- */

#define SIGNED_TYPES(X)                                                                                         \
    X(CHAR)                                                                                                     \
    X(SIGNED_CHAR) X(SHORT) X(INT) X(LONG) X(LONG_LONG_INT) X(WCHAR) X(INT8_T) X(INT16_T) X(INT32_T) X(INT64_T) \
        X(INTEGER) X(INTEGER1) X(INTEGER2) X(INTEGER4) X(INTEGER8) X(AINT) X(OFFSET) X(COUNT)
#define UNSIGNED_TYPES(X)                                                                                   \
    X(UNSIGNED_CHAR)                                                                                        \
    X(UNSIGNED_SHORT) X(UNSIGNED) X(UNSIGNED_LONG) X(UNSIGNED_LONG_LONG) X(UINT8_T) X(UINT16_T) X(UINT32_T) \
        X(UINT64_T) X(BYTE) X(LOGICAL) X(C_BOOL) X(CXX_BOOL) X(CHARACTER)
#define FLOAT_TYPES(X) X(FLOAT) X(DOUBLE) X(LONG_DOUBLE) X(REAL) X(DOUBLE_PRECISION) X(REAL4) X(REAL8)
#define COMPLEX_TYPES(X)                                                                                       \
    X(C_COMPLEX)                                                                                               \
    X(C_FLOAT_COMPLEX) X(C_DOUBLE_COMPLEX) X(C_LONG_DOUBLE_COMPLEX) X(CXX_FLOAT_COMPLEX) X(CXX_DOUBLE_COMPLEX) \
        X(CXX_LONG_DOUBLE_COMPLEX) X(COMPLEX) X(DOUBLE_COMPLEX) X(COMPLEX8) X(COMPLEX16)

/* Fortran's types by precision are what their size says; what the long ones are differs. */
static enum window_number number_by_precision(MPI_Datatype type)
{
    int size = 0;
    real_must(Type_size, type, &size);
    switch (type_envelope_of(type).combiner) {
    case MPI_COMBINER_F90_INTEGER:
        return size <= 8 ? WINDOW_SIGNED : WINDOW_BYTES;
    case MPI_COMBINER_F90_REAL:
        return size <= 8 ? WINDOW_FLOAT : WINDOW_BYTES;
    case MPI_COMBINER_F90_COMPLEX:
        return size <= 16 ? WINDOW_COMPLEX : WINDOW_BYTES;
    default:
        return WINDOW_BYTES;
    }
}

/* WINDOW_BYTES: it is none that can be computed with, such as one of 128 bits. */
static enum window_number number_of(MPI_Datatype type)
{
#define IS_TYPE(name) type == MPI_##name ||
    if (SIGNED_TYPES(IS_TYPE) 0)
        return WINDOW_SIGNED;
    if (UNSIGNED_TYPES(IS_TYPE) 0)
        return WINDOW_UNSIGNED;
    if (FLOAT_TYPES(IS_TYPE) 0)
        return WINDOW_FLOAT;
    if (COMPLEX_TYPES(IS_TYPE) 0)
        return WINDOW_COMPLEX;
#undef IS_TYPE
    return number_by_precision(type);
}

static uint8_t size_of_basic(MPI_Datatype type)
{
    int size = 0;
    real_must(Type_size, type, &size);
    return (uint8_t)size;
}

/* ---- pairs of a value and an index ---- */

#define PAIR_TYPES(X)                                                                                               \
    X(FLOAT_INT, FLOAT, INT)                                                                                        \
    X(DOUBLE_INT, DOUBLE, INT) X(LONG_INT, LONG, INT) X(SHORT_INT, SHORT, INT) X(LONG_DOUBLE_INT, LONG_DOUBLE, INT) \
        X(2INT, INT, INT) X(2INTEGER, INTEGER, INTEGER) X(2REAL, REAL, REAL)                                        \
            X(2DOUBLE_PRECISION, DOUBLE_PRECISION, DOUBLE_PRECISION)

static void describe_pair(struct window_element *element, MPI_Datatype value, MPI_Datatype index)
{
    *element = (struct window_element){.number = (uint8_t)number_of(value),
                                       .size = size_of_basic(value),
                                       .index_at = size_of_basic(value),
                                       .index_size = size_of_basic(index),
                                       .index_is_float = number_of(index) == WINDOW_FLOAT,
                                       .extent = (uint8_t)(size_of_basic(value) + size_of_basic(index))};
}

static bool is_pair(MPI_Datatype type, struct window_element *element)
{
#define X(name, value, index)                             \
    if (type == MPI_##name) {                             \
        describe_pair(element, MPI_##value, MPI_##index); \
        return true;                                      \
    }
    PAIR_TYPES(X)
#undef X
    return false;
}

/* ---- operators ---- */

static bool computes(uint32_t number)
{
    switch (number) {
    case OPERATOR_NONE:
    case OPERATOR_REPLACE:
    case OPERATOR_NO_OP:
    case OPERATOR_BAND:
    case OPERATOR_BOR:
    case OPERATOR_BXOR:
        return false;
    default:
        return true;
    }
}

bool element_describe(MPI_Datatype basic, uint32_t number, struct window_element *element)
{
    if (!computes(number)) {
        uint8_t size = size_of_basic(basic);
        *element = (struct window_element){.number = WINDOW_BYTES, .size = size, .extent = size};
        return true;
    }
    if (is_pair(basic, element))
        return true;
    uint8_t size = size_of_basic(basic);
    *element = (struct window_element){.number = (uint8_t)number_of(basic), .size = size, .extent = size};
    return element->number != WINDOW_BYTES;
}
