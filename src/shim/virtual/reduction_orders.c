#include "shim/virtual/reduction_orders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call/operators.h"
#include "shim/bodies/alternative.h"
#include "shim/bodies/completion.h"
#include "shim/channel.h"
#include "shim/core/complaint.h"
#include "shim/objects/reduction_op.h"

enum {
    MOST_RESULTS = 8,
    MOST_ROTATIONS = 8,
    TOLD = 4, /* values */
};

/* A result that may be another. */
struct open_result {
    struct open_result *next;
    void *to;
    uint64_t bytes;
    struct op op;
    char text[512];
    char complaint[320];
    uint32_t results;
    char *result[MOST_RESULTS]; /* owned */
};

static enum { PLAIN, NOTED, CHOSEN } wanted;
static struct open_result *open_results; /* owned; the first is told of first */

/* ---- numbers ---- */

enum number { NOT_A_NUMBER, NUMBER_FLOAT, NUMBER_DOUBLE, NUMBER_LONG_DOUBLE };

static enum number number_of_size(MPI_Count size, bool is_long_double)
{
    if (size == sizeof(float))
        return NUMBER_FLOAT;
    if (size == sizeof(double))
        return NUMBER_DOUBLE;
    return is_long_double ? NUMBER_LONG_DOUBLE : NOT_A_NUMBER;
}

/* What an element consists of. */
static enum number number_in(const struct type *type)
{
    if (type->group == GROUP_FLOATING_POINT)
        return number_of_size(type->size, type->handle == MPI_LONG_DOUBLE);
    if (type->group == GROUP_COMPLEX)
        return number_of_size(type->size / 2, type->handle == MPI_C_LONG_DOUBLE_COMPLEX);
    return NOT_A_NUMBER;
}

static uint64_t bytes_of_number(enum number kind)
{
    return kind == NUMBER_FLOAT ? sizeof(float) : kind == NUMBER_DOUBLE ? sizeof(double) : kind == NUMBER_LONG_DOUBLE ? sizeof(long double) : 1;
}

static long double number_at(enum number kind, const char *at)
{
    float single;
    double number = 0;
    long double longer;
    switch (kind) {
    case NUMBER_FLOAT:
        memcpy(&single, at, sizeof single);
        return single;
    case NUMBER_DOUBLE:
        memcpy(&number, at, sizeof number);
        return number;
    case NUMBER_LONG_DOUBLE:
        memcpy(&longer, at, sizeof longer);
        return longer;
    case NOT_A_NUMBER:
        break;
    }
    return number;
}

static bool is_same_number(enum number kind, const char *a, const char *b)
{
    if (kind == NOT_A_NUMBER)
        return *a == *b;
    long double x = number_at(kind, a), y = number_at(kind, b);
    return x == y || (x != x && y != y);
}

/* The first number, or byte, that is not the same; `bytes`: there is none. */
static uint64_t first_other_number(enum number kind, const char *a, const char *b, uint64_t bytes)
{
    uint64_t step = bytes_of_number(kind), at = 0;
    if (memcmp(a, b, bytes) == 0)
        return bytes;
    while (at + step <= bytes && is_same_number(kind, a + at, b + at))
        at += step;
    return at + step <= bytes ? at : bytes;
}

/* ---- orders ---- */

/* Members in some order, and how they are combined. */
struct order {
    enum { FROM_LEFT, FROM_RIGHT, HALVES, PAIRS } shape;
    uint32_t *member; /* borrowed */
};

/* into = from OP into */
static void apply_to_vector(const struct reduction *r, const char *from, char *into)
{
    reduction_op_apply(r->op, from, r->bytes, into, r->type);
}

static char *copy_of_vector(const struct reduction *r, const char *vector)
{
    return memcpy(shim_alloc(r->bytes), vector, r->bytes);
}

static char *combine_from_right(const struct reduction *r, const uint32_t *member, uint32_t n)
{
    char *sum = copy_of_vector(r, r->vector[member[n - 1]]);
    for (uint32_t i = n - 1; i-- > 0;)
        apply_to_vector(r, r->vector[member[i]], sum);
    return sum;
}

static char *combine_from_left(const struct reduction *r, const uint32_t *member, uint32_t n)
{
    char *sum = copy_of_vector(r, r->vector[member[0]]);
    for (uint32_t i = 1; i < n; i++) {
        char *next = copy_of_vector(r, r->vector[member[i]]);
        apply_to_vector(r, sum, next);
        free(sum);
        sum = next;
    }
    return sum;
}

/* Of the first half, which is a power of two, and of the rest. */
static char *combine_halves(const struct reduction *r, const uint32_t *member, uint32_t n)
{
    uint32_t half = 1;
    if (n == 1)
        return copy_of_vector(r, r->vector[member[0]]);
    while (half * 2 < n)
        half *= 2;
    char *first = combine_halves(r, member, half), *second = combine_halves(r, member + half, n - half);
    apply_to_vector(r, first, second);
    free(first);
    return second;
}

/* Those beyond a power of two are combined with their neighbours first, and then come halves. */
static char *combine_pairs(const struct reduction *r, const uint32_t *member, uint32_t n)
{
    uint32_t power = 1, sums = 0;
    while (power * 2 <= n)
        power *= 2;
    uint32_t pairs = n - power, *number = shim_alloc(power * sizeof *number);
    const char **sum = shim_alloc(power * sizeof *sum);
    for (uint32_t i = 0; i < n; i += i < 2 * pairs ? 2 : 1) {
        sum[sums] = i < 2 * pairs ? combine_from_left(r, member + i, 2) : copy_of_vector(r, r->vector[member[i]]);
        number[sums] = sums;
        sums++;
    }
    struct reduction rest = *r;
    rest.vector = sum;
    char *all = combine_halves(&rest, number, power);
    for (uint32_t i = 0; i < power; i++)
        free((char *)sum[i]);
    free(sum);
    free(number);
    return all;
}

static char *combine_in_order(const struct reduction *r, const struct order *order)
{
    switch (order->shape) {
    case FROM_LEFT:
        return combine_from_left(r, order->member, r->members);
    case FROM_RIGHT:
        return combine_from_right(r, order->member, r->members);
    case HALVES:
        return combine_halves(r, order->member, r->members);
    case PAIRS:
        break;
    }
    return combine_pairs(r, order->member, r->members);
}

/* ---- results ---- */

static void try_order(const struct reduction *r, struct open_result *open, const struct order *order)
{
    enum number kind = number_in(r->type);
    if (open->results == MOST_RESULTS)
        return;
    char *result = combine_in_order(r, order);
    uint32_t i = 0;
    while (i < open->results && first_other_number(kind, open->result[i], result, r->bytes) < r->bytes)
        i++;
    if (i < open->results)
        free(result);
    else
        open->result[open->results++] = result;
}

static void try_shapes(const struct reduction *r, struct open_result *open, uint32_t *member)
{
    for (int shape = FROM_LEFT; shape <= PAIRS; shape++)
        try_order(r, open, &(struct order){shape, member});
}

static void rotate_members(uint32_t *member, uint32_t n, uint32_t by)
{
    for (uint32_t i = 0; i < n; i++)
        member[i] = (i + by) % n;
}

/* What commutes is combined around rings, from any member on, and with those far away first. */
static void try_other_members(const struct reduction *r, struct open_result *open, uint32_t *member)
{
    uint32_t n = r->members, step = n > MOST_ROTATIONS ? n / MOST_ROTATIONS : 1;
    for (uint32_t by = step; by < n; by += step) {
        rotate_members(member, n, by);
        try_order(r, open, &(struct order){FROM_LEFT, member});
    }
    for (uint32_t i = 0; i < n; i++)
        member[i] = i < (n + 1) / 2 ? 2 * i : 2 * (i - (n + 1) / 2) + 1;
    try_shapes(r, open, member);
}

static void try_all_orders(const struct reduction *r, struct open_result *open)
{
    uint32_t *member = shim_alloc(r->members * sizeof *member);
    rotate_members(member, r->members, 0);
    open->result[open->results++] = copy_of_vector(r, r->result);
    try_shapes(r, open, member);
    if (reduction_op_number(r->op) != OPERATOR_USER_IN_ORDER)
        try_other_members(r, open, member);
    free(member);
}

/* ---- in words ---- */

static size_t put_number(char *text, size_t room, enum number kind, const char *at)
{
    static const int digits[] = {[NUMBER_FLOAT] = 9, [NUMBER_DOUBLE] = 17, [NUMBER_LONG_DOUBLE] = 21};
    int length = kind == NOT_A_NUMBER ? snprintf(text, room, "0x%02x", (unsigned char)*at)
                                      : snprintf(text, room, "%.*Lg", digits[kind], number_at(kind, at));
    return length < 0 ? 0 : (size_t)length < room ? (size_t)length : room - 1;
}

/* Where some of the results differ first from the one that is there. */
static uint64_t place_of_difference(const struct reduction *r, const struct open_result *open)
{
    uint64_t first = r->bytes;
    for (uint32_t i = 1; i < open->results; i++) {
        uint64_t at = first_other_number(number_in(r->type), open->result[0], open->result[i], r->bytes);
        first = at < first ? at : first;
    }
    return first;
}

static void name_element(const struct reduction *r, uint64_t at, char *text, size_t room)
{
    if (number_in(r->type) == NOT_A_NUMBER)
        snprintf(text, room, "byte %llu", (unsigned long long)at);
    else if (r->type->group == GROUP_COMPLEX)
        snprintf(text, room, "the %s part of element %llu", at % (uint64_t)r->type->size ? "imaginary" : "real",
                 (unsigned long long)(at / (uint64_t)r->type->size));
    else
        snprintf(text, room, "element %llu", (unsigned long long)(at / (uint64_t)r->type->size));
}

static void put_complaint(const struct reduction *r, struct open_result *open)
{
    enum number kind = number_in(r->type);
    uint64_t at = place_of_difference(r, open);
    char values[TOLD * 40] = "", element[64];
    size_t length = 0;
    name_element(r, at, element, sizeof element);
    for (uint32_t i = 0; i < open->results && i < TOLD; i++) {
        const char *joint = i == 0 ? "" : i + 1 == open->results ? " or " : ", ";
        length += (size_t)snprintf(values + length, sizeof values - length, "%s", joint);
        length += put_number(values + length, sizeof values - length, kind, open->result[i] + at);
    }
    snprintf(open->complaint, sizeof open->complaint,
             "%s: the result of %s depends on the order in which MPI combines, which is not defined: %s is %s%s",
             call_name(shim.call), operator_name(reduction_op_number(r->op)), element, values,
             open->results > TOLD ? ", or another" : "");
}

/* Sentences for reports (call/alternative_text.h), each with a value that tells it from the first; two may read the same. */
static void put_sentences(const struct reduction *r, struct open_result *open)
{
    enum number kind = number_in(r->type);
    size_t length = (size_t)snprintf(open->text, sizeof open->text, "result");
    uint64_t first = place_of_difference(r, open);
    for (uint32_t i = 0; i < open->results; i++) {
        uint64_t at = i ? first_other_number(kind, open->result[0], open->result[i], r->bytes) : first;
        char element[64], value[40];
        name_element(r, at, element, sizeof element);
        put_number(value, sizeof value, kind, open->result[i] + at);
        length += (size_t)snprintf(open->text + length, sizeof open->text - length, "|gets %s as %s", value, element);
        if (length >= sizeof open->text)
            length = sizeof open->text - 1;
    }
}

/* ---- choices ---- */

static void drop_open_result(struct open_result *open)
{
    for (uint32_t i = 0; i < open->results; i++)
        free(open->result[i]);
    free(open);
}

/* In the order in which they came. */
static void keep_open_result(const struct reduction *r, struct open_result *open)
{
    struct open_result **last = &open_results;
    open->to = r->result;
    open->bytes = r->bytes;
    open->op = (struct op){.kind = OP_CHOOSE,
                           .flags = r->alike > 1 ? OPF_COMMON : 0,
                           .peer = RANK_NONE,
                           .context = r->context,
                           .turn = r->turn,
                           .count = r->alike,
                           .items = open->results};
    put_complaint(r, open);
    put_sentences(r, open);
    while (*last)
        last = &(*last)->next;
    *last = open;
}

/* Not before: memory that an answer tells of is anybody's as soon as the rank says something. */
static void settle_results(void)
{
    while (open_results) {
        struct open_result *open = open_results;
        open_results = open->next;
        complain(COMPLAINT_REDUCTION_ORDER, "%s", open->complaint);
        uint32_t chosen = wanted == CHOSEN ? alternative_ask(&open->op, open->text) : 0;
        if (chosen && chosen < open->results)
            memcpy(open->to, open->result[chosen], open->bytes);
        drop_open_result(open);
    }
}

bool reduction_orders_matter(MPI_Op op, const struct type *type)
{
    if (wanted == PLAIN || !type->contiguous)
        return false;
    uint32_t number = reduction_op_number(op);
    bool rounds = type->group == GROUP_FLOATING_POINT || type->group == GROUP_COMPLEX;
    return number == OPERATOR_USER || number == OPERATOR_USER_IN_ORDER ||
           (rounds && (number == OPERATOR_SUM || number == OPERATOR_PROD));
}

void reduction_orders_look(const struct reduction *r)
{
    enum { LEAST = 3 }; /* two are combined in one way only */
    if (r->members < LEAST || r->bytes == 0)
        return;
    struct open_result *open = shim_alloc(sizeof *open);
    *open = (struct open_result){0};
    try_all_orders(r, open);
    if (open->results > 1)
        keep_open_result(r, open);
    else
        drop_open_result(open);
}

void reduction_orders_open(void)
{
    const char *kind = getenv(WIRE_ENV_REDUCTIONS);
    if (!kind || !channel_head()->copied)
        return;
    wanted = strcmp(kind, WIRE_REDUCTIONS_CHOSEN) == 0 ? CHOSEN : NOTED;
    completions_were_taken = settle_results;
}
