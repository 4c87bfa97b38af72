/*
 * Signatures and agreement, against sequences that are written out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "call/operators.h"
#include "sem/agree.h"

enum { BASICS = 4, LONGEST = 6000 };
static const uint32_t basics[BASICS] = {10, 11, 12, BASIC_BYTE}, sizes[BASICS] = {4, 8, 2, 1};

/* A type written out: which of the basics each element is. */
struct written {
    size_t n;
    uint8_t element[LONGEST];
};

static unsigned below(unsigned n)
{
    return (unsigned)rand() % n;
}

static void write_out(struct written *to, const struct written *more, size_t times)
{
    for (size_t i = 0; i < times; i++) {
        assert_true(to->n + more->n <= LONGEST);
        memcpy(&to->element[to->n], more->element, more->n);
        to->n += more->n;
    }
}

/* A random type, `kinds` of the basics in it, both ways. */
static void make(struct signature *s, struct written *w, int depth, unsigned kinds)
{
    unsigned parts = 1 + below(3);
    for (unsigned i = 0; i < parts; i++) {
        struct signature inner = {0};
        struct written out = {0};
        size_t times = below(4);
        if (depth == 0 || below(3) == 0) {
            unsigned basic = below(kinds);
            signature_add_basic(&inner, basics[basic], sizes[basic]);
            out.element[out.n++] = (uint8_t)basic;
        } else {
            make(&inner, &out, depth - 1, kinds);
        }
        signature_add(s, &inner, times);
        write_out(w, &out, times);
    }
}

static size_t bytes_of(const struct written *w)
{
    size_t bytes = 0;
    for (size_t i = 0; i < w->n; i++)
        bytes += sizes[w->element[i]];
    return bytes;
}

/* For each byte of a type repeated up to so many: which basic it is in, and the how manieth byte of that. */
static void write_bytes(const struct written *w, size_t bytes, uint16_t *to)
{
    for (size_t at = 0; at < bytes;)
        for (size_t i = 0; i < w->n && at < bytes; i++)
            for (uint32_t k = 0; k < sizes[w->element[i]] && at < bytes; k++)
                to[at++] = (uint16_t)(w->element[i] << 8 | k);
}

static bool fits_any(uint16_t byte)
{
    return basic_fits_any(basics[byte >> 8]);
}

static bool naive(const struct written *a, const struct written *b, size_t bytes)
{
    uint16_t *x = malloc(bytes * sizeof *x), *y = malloc(bytes * sizeof *y);
    bool agree = true;
    write_bytes(a, bytes, x);
    write_bytes(b, bytes, y);
    for (size_t i = 0; i < bytes && agree; i++)
        agree = fits_any(x[i]) || fits_any(y[i]) || x[i] == y[i];
    free(x);
    free(y);
    return agree;
}

static void flattening_is_writing_out(void **state)
{
    (void)state;
    srand(1);
    for (int round = 0; round < 20000; round++) {
        struct signature s = {0};
        struct written w = {0};
        size_t at = 0;
        make(&s, &w, 3, BASICS);
        assert_int_equal(s.elements, w.n);
        assert_int_equal(s.bytes, bytes_of(&w));
        for (uint32_t i = 0; s.runs != SIGNATURE_LONG && i < s.runs; i++)
            for (uint64_t k = 0; k < s.run[i].n; k++)
                assert_int_equal(s.run[i].basic, basics[w.element[at++]]);
        if (s.runs != SIGNATURE_LONG)
            assert_int_equal(at, w.n);
    }
}

/* However it is built: element by element gives the same as in pieces. */
static void the_id_is_of_the_sequence(void **state)
{
    (void)state;
    srand(2);
    for (int round = 0; round < 5000; round++) {
        struct signature s = {0}, plain = {0}, other = {0};
        struct written w = {0};
        make(&s, &w, 3, BASICS);
        for (size_t i = 0; i < w.n; i++)
            signature_add_basic(&plain, basics[w.element[i]], sizes[w.element[i]]);
        assert_true(signature_id(&s) == signature_id(&plain));
        if (w.n == 0)
            continue;
        size_t changed = below((unsigned)w.n);
        w.element[changed] = (uint8_t)((w.element[changed] + 1) % BASICS);
        for (size_t i = 0; i < w.n; i++)
            signature_add_basic(&other, basics[w.element[i]], sizes[w.element[i]]);
        assert_true(signature_id(&s) != signature_id(&other));
    }
}

static void types_agree_as_written(void **state)
{
    int agreed = 0;
    (void)state;
    srand(3);
    for (int round = 0; round < 20000; round++) {
        struct signature a = {0}, b = {0};
        struct written x = {0}, y = {0};
        unsigned kinds = 1 + below(BASICS);
        make(&a, &x, 2, kinds);
        make(&b, &y, (int)below(3), kinds);
        if (!x.n || !y.n || a.runs == SIGNATURE_LONG || b.runs == SIGNATURE_LONG)
            continue;
        size_t bytes = 1 + below(400);
        bool expected = naive(&x, &y, bytes);
        agreed += expected;
        assert_int_equal(agree_types(&a, &b, bytes), expected);
        assert_int_equal(agree_types(&b, &a, bytes), expected);
    }
    assert_in_range(agreed, 1000, 19000);
}

/* Too many runs to be told: only whole ones of the same length can be compared. */
static void long_ones_agree_by_their_sum(void **state)
{
    struct signature pair = {0}, riap = {0}, a = {0}, b = {0}, c = {0};
    (void)state;
    signature_add_basic(&pair, 10, 4);
    signature_add_basic(&pair, 11, 8);
    signature_add_basic(&riap, 11, 8);
    signature_add_basic(&riap, 10, 4);
    signature_add(&a, &pair, 1000000000);
    for (int i = 0; i < 1000; i++)
        signature_add(&b, &pair, 1000000);
    signature_add(&c, &riap, 1000000000);
    assert_int_equal(a.runs, SIGNATURE_LONG);
    assert_true(signature_id(&a) == signature_id(&b));
    assert_true(agree_types(&a, &b, a.bytes));
    assert_false(agree_types(&a, &c, a.bytes));
    assert_true(agree_types(&a, &c, a.bytes - 1));
}

/* An OP_TYPE as the shim makes it. */
struct typed {
    struct op op;
    char tail[32 + sizeof(uint64_t) + sizeof(struct signature_run) * SIGNATURE_RUNS];
};

static void announce(struct typed *typed, const char *name, const struct signature *s)
{
    size_t front = op_round(strlen(name) + 1);
    memset(typed, 0, sizeof *typed);
    strcpy(typed->tail, name);
    signature_write(s, typed->tail + front);
    typed->op = (struct op){.kind = OP_TYPE,
                            .signature = signature_id(s),
                            .count = (int64_t)s->elements,
                            .bytes = s->bytes,
                            .items = s->runs == SIGNATURE_LONG ? 0 : s->runs,
                            .size = (uint32_t)(sizeof typed->op + front + signature_size(s))};
}

static void what_travels_arrives(void **state)
{
    (void)state;
    srand(4);
    for (int round = 0; round < 2000; round++) {
        struct signature s = {0}, got;
        struct written w = {0};
        struct typed typed;
        make(&s, &w, (int)below(4), BASICS);
        announce(&typed, "a type", &s);
        assert_true(signature_read(&got, &typed.op));
        assert_true(signature_id(&got) == signature_id(&s));
        assert_int_equal(got.runs, s.runs);
        assert_int_equal(got.fits_any, s.fits_any);
        if (s.runs != SIGNATURE_LONG)
            assert_memory_equal(got.run, s.run, s.runs * sizeof *s.run);
        typed.op.size -= 8; /* cut off */
        assert_false(signature_read(&got, &typed.op));
    }
}

/* ---- messages and collectives ---- */

static struct typed type_int, type_float;

static const struct op *find_type(void *data, uint64_t signature)
{
    (void)data;
    return signature == type_int.op.signature     ? &type_int.op
           : signature == type_float.op.signature ? &type_float.op
                                                  : NULL;
}
static const struct type_finder types = {find_type, NULL};

static int learn_types(void **state)
{
    struct signature s = {0}, t = {0};
    (void)state;
    signature_add_basic(&s, 10, 4);
    signature_add_basic(&t, 12, 4);
    announce(&type_int, "MPI_INT", &s);
    announce(&type_float, "MPI_FLOAT", &t);
    return 0;
}

static void messages(void **state)
{
    struct op send = {.kind = OP_SEND, .bytes = 8, .signature = type_int.op.signature};
    struct op recv = {.kind = OP_RECV, .bytes = 8, .signature = type_int.op.signature};
    (void)state;
    assert_int_equal(agree_message(&types, &send, &recv), MESSAGE_AGREES);
    recv.bytes = 12;
    assert_int_equal(agree_message(&types, &send, &recv), MESSAGE_AGREES);
    recv.bytes = 4;
    assert_int_equal(agree_message(&types, &send, &recv), MESSAGE_LENGTH);
    recv.signature = type_float.op.signature;
    assert_int_equal(agree_message(&types, &send, &recv), MESSAGE_TYPE);
    send.bytes = 0;
    assert_int_equal(agree_message(&types, &send, &recv), MESSAGE_AGREES);
    send.bytes = 8;
    recv.signature = 99; /* nobody told of it */
    assert_int_equal(agree_message(&types, &send, &recv), MESSAGE_LENGTH);
}

/* A part that brings one slice and takes one block. */
struct part {
    struct op op;
    struct op_coll coll;
    struct op_slice slice;
    uint64_t take;
};

static struct part part(int32_t to, uint64_t bytes, uint32_t from, uint32_t until, uint64_t take, uint32_t reduction)
{
    struct part p = {.op = {.kind = OP_COLL, .peer = RANK_NONE, .bytes = bytes},
                     .coll = {.from = from, .until = until, .slices = 1, .takes = 1, .reduction = reduction},
                     .slice = {.to = to, .bytes = bytes},
                     .take = take};
    p.op.signature = p.coll.taken = type_int.op.signature;
    p.op.size = sizeof p;
    return p;
}

static struct coll_unlike compare(const struct part *a, const struct part *b)
{
    return agree_parts(&types, &(struct coll_part){&a->op, 0}, &(struct coll_part){&b->op, 1});
}

static void collectives(void **state)
{
    struct part a = part(SLICE_FOR_ALL, 8, 0, 2, 8, 0), b = a;
    struct coll_unlike unlike;
    (void)state;
    assert_int_equal(compare(&a, &b).fault, COLL_AGREES);
    b.take = 12;
    unlike = compare(&a, &b);
    assert_int_equal(unlike.fault, COLL_COUNT);
    assert_true(unlike.side[0].brings && unlike.side[1].takes);
    assert_int_equal(unlike.side[0].bytes, 8);
    assert_int_equal(unlike.side[1].bytes, 12);
    assert_true(compare(&b, &a).side[0].takes);
    b = a;
    b.coll.taken = type_float.op.signature;
    assert_int_equal(compare(&a, &b).fault, COLL_TYPE);
    b = a;
    b.op.call = 1;
    assert_int_equal(compare(&a, &b).fault, COLL_ORDER);
    b = a;
    a.op.peer = 0;
    assert_int_equal(compare(&a, &b).fault, COLL_AGREES);
    b.op.peer = 1;
    assert_int_equal(compare(&a, &b).fault, COLL_ROOT);
}

static void reductions(void **state)
{
    struct part a = part(SLICE_FOR_ALL, 8, 0, 2, 0, OPERATOR_SUM), b = a;
    (void)state;
    assert_int_equal(compare(&a, &b).fault, COLL_AGREES);
    b.op.bytes = 4;
    assert_int_equal(compare(&a, &b).fault, COLL_COUNT);
    b.coll.reduction = OPERATOR_MAX;
    assert_int_equal(compare(&a, &b).fault, COLL_OPERATOR);
    assert_string_equal(operator_name(compare(&a, &b).side[1].reduction), "MPI_MAX");
    b.coll.reduction = OPERATOR_SUM;
    b.op.signature = type_float.op.signature;
    assert_int_equal(compare(&a, &b).fault, COLL_TYPE);
    b.coll.slices = 0; /* of the root's group of an intercommunicator */
    assert_int_equal(compare(&a, &b).fault, COLL_AGREES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flattening_is_writing_out), cmocka_unit_test(the_id_is_of_the_sequence),
        cmocka_unit_test(types_agree_as_written),    cmocka_unit_test(long_ones_agree_by_their_sum),
        cmocka_unit_test(what_travels_arrives),      cmocka_unit_test(messages),
        cmocka_unit_test(collectives),               cmocka_unit_test(reductions),
    };
    return cmocka_run_group_tests(tests, learn_types, NULL);
}
