#include "call/arithmetic.h"

#include <complex.h>
#include <stdint.h>
#include <string.h>

#include "call/operators.h"

/* Of values of one C type; those that are the same for all numbers. */
#define ORDERED(type)                                                                                                  \
    case OPERATOR_MAX:                                                                                                 \
        a = a > b ? a : b;                                                                                             \
        break;                                                                                                         \
    case OPERATOR_MIN:                                                                                                 \
        a = a < b ? a : b;                                                                                             \
        break;

#define COMPUTED(type)                                                                                                 \
    case OPERATOR_SUM:                                                                                                 \
        a = (type)(a + b);                                                                                             \
        break;                                                                                                         \
    case OPERATOR_PROD:                                                                                                \
        a = (type)(a * b);                                                                                             \
        break;

#define LOGICAL(type)                                                                                                  \
    case OPERATOR_LAND:                                                                                                \
        a = a && b;                                                                                                    \
        break;                                                                                                         \
    case OPERATOR_LOR:                                                                                                 \
        a = a || b;                                                                                                    \
        break;                                                                                                         \
    case OPERATOR_LXOR:                                                                                                \
        a = !a != !b;                                                                                                  \
        break;

/* Signed numbers are added and multiplied as unsigned ones: that wraps around, as machines do. */
#define COMBINE(name, type, CASES)                                                                                     \
    static bool name(unsigned operator, char *there, const char *brought)                                              \
    {                                                                                                                  \
        type a, b;                                                                                                     \
        memcpy(&a, there, sizeof a);                                                                                   \
        memcpy(&b, brought, sizeof b);                                                                                 \
        switch (operator) {                                                                                            \
            CASES(type)                                                                                                \
        default:                                                                                                       \
            return false;                                                                                              \
        }                                                                                                              \
        memcpy(there, &a, sizeof a);                                                                                   \
        return true;                                                                                                   \
    }

#define ALL(type) ORDERED(type) COMPUTED(type) LOGICAL(type)
#define SIGNED_ONES(type) ORDERED(type) LOGICAL(type)

COMBINE(unsigned_1, uint8_t, ALL)
COMBINE(unsigned_2, uint16_t, ALL)
COMBINE(unsigned_4, uint32_t, ALL)
COMBINE(unsigned_8, uint64_t, ALL)
COMBINE(signed_1, int8_t, SIGNED_ONES)
COMBINE(signed_2, int16_t, SIGNED_ONES)
COMBINE(signed_4, int32_t, SIGNED_ONES)
COMBINE(signed_8, int64_t, SIGNED_ONES)
COMBINE(float_4, float, ALL)
COMBINE(float_8, double, ALL)
COMBINE(float_long, long double, ALL)
COMBINE(complex_4, float complex, COMPUTED)
COMBINE(complex_8, double complex, COMPUTED)
COMBINE(complex_long, long double complex, COMPUTED)

typedef bool combine(unsigned operator, char *there, const char *brought);

static combine *combine_unsigned(unsigned size)
{
    switch (size) {
    case 1:
        return unsigned_1;
    case 2:
        return unsigned_2;
    case 4:
        return unsigned_4;
    case 8:
        return unsigned_8;
    default:
        return NULL;
    }
}

static combine *combine_signed(unsigned operator, unsigned size)
{
    if (operator == OPERATOR_SUM || operator == OPERATOR_PROD)
        return combine_unsigned(size);
    switch (size) {
    case 1:
        return signed_1;
    case 2:
        return signed_2;
    case 4:
        return signed_4;
    case 8:
        return signed_8;
    default:
        return NULL;
    }
}

static combine *combine_float(unsigned size)
{
    return size == sizeof(float) ? float_4 : size == sizeof(double) ? float_8 : size == sizeof(long double) ? float_long : NULL;
}

static combine *combine_complex(unsigned size)
{
    return size == 2 * sizeof(float)         ? complex_4
           : size == 2 * sizeof(double)      ? complex_8
           : size == 2 * sizeof(long double) ? complex_long
                                             : NULL;
}

static combine *combine_for(unsigned operator, struct window_element element)
{
    switch ((enum window_number)element.number) {
    case WINDOW_SIGNED:
        return combine_signed(operator, element.size);
    case WINDOW_UNSIGNED:
        return combine_unsigned(element.size);
    case WINDOW_FLOAT:
        return combine_float(element.size);
    case WINDOW_COMPLEX:
        return combine_complex(element.size);
    case WINDOW_BYTES:
        break;
    }
    return NULL;
}

static bool combine_bits(unsigned operator, unsigned char *there, const unsigned char *brought, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (operator == OPERATOR_BAND)
            there[i] &= brought[i];
        else if (operator == OPERATOR_BOR)
            there[i] |= brought[i];
        else
            there[i] ^= brought[i];
    return true;
}

/* Any number that is the value or the index of a pair, made comparable. */
static long double value_of(struct window_element element, const char *at)
{
    if (element.number == WINDOW_FLOAT) {
        float f;
        double d;
        long double l;
        if (element.size == sizeof f)
            return memcpy(&f, at, sizeof f), (long double)f;
        if (element.size == sizeof d)
            return memcpy(&d, at, sizeof d), (long double)d;
        return memcpy(&l, at, sizeof l), l;
    }
    uint64_t value = 0;
    unsigned unused = 64 - 8u * element.size;
    memcpy(&value, at, element.size);
    return element.number == WINDOW_SIGNED ? (long double)((int64_t)(value << unused) >> unused) : (long double)value;
}

static long double index_of(struct window_element element, const char *pair)
{
    struct window_element index = {.number = element.index_is_float ? WINDOW_FLOAT : WINDOW_SIGNED, .size = element.index_size};
    return value_of(index, pair + element.index_at);
}

/* MPI_MAXLOC, MPI_MINLOC: of equal values, the one with the smaller index. */
static bool combine_pair(unsigned operator, struct window_element element, char *there, const char *brought)
{
    long double a = value_of(element, there), b = value_of(element, brought);
    bool better = operator == OPERATOR_MAXLOC ? b > a : b < a;
    if (operator != OPERATOR_MAXLOC && operator != OPERATOR_MINLOC)
        return false;
    if (better || (a == b && index_of(element, brought) < index_of(element, there)))
        memcpy(there, brought, element.extent);
    return true;
}

bool arithmetic_combine(unsigned operator, struct window_element element, void *there, const void *brought, size_t bytes)
{
    combine *each;
    if (operator == OPERATOR_NO_OP)
        return true;
    if (operator == OPERATOR_REPLACE) {
        memcpy(there, brought, bytes);
        return true;
    }
    if (operator == OPERATOR_BAND || operator == OPERATOR_BOR || operator == OPERATOR_BXOR)
        return combine_bits(operator, there, brought, bytes);
    if (element.index_at) {
        for (size_t at = 0; at + element.extent <= bytes; at += element.extent)
            if (!combine_pair(operator, element, (char *)there + at, (const char *)brought + at))
                return false;
        return true;
    }
    if (!(each = combine_for(operator, element)))
        return false;
    for (size_t at = 0; at + element.size <= bytes; at += element.size)
        if (!each(operator, (char *)there + at, (const char *)brought + at))
            return false;
    return true;
}

bool arithmetic_is_whole(const struct window_access *access)
{
    if (access->kind == WINDOW_SWAP)
        return access->bytes == 2 * access->extent;
    return access->operator == OPERATOR_NO_OP || access->bytes == access->extent;
}

bool arithmetic_apply(const struct window_access *access, char *there, const char *data)
{
    if (access->kind == WINDOW_SWAP) {
        if (memcmp(there, data, access->extent) != 0)
            return false;
        memcpy(there, data + access->extent, access->extent);
        return true;
    }
    return access->operator != OPERATOR_NO_OP && arithmetic_combine(access->operator, access->element, there, data, access->extent);
}
