/* The table of kinds of operations: each number once, each name once, and what follows from parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "call/op.h"

static void numbers_have_no_gap(void **unused)
{
    (void)unused;
    for (unsigned kind = 1; kind < OP_KINDS; kind++) {
        assert_non_null(op_record_name[kind]);
        assert_int_not_equal(op_kind_part(kind), OP_PART_NONE);
    }
    assert_null(op_record_name[OP_NONE]);
}

static void names_are_told_apart(void **unused)
{
    (void)unused;
    for (unsigned a = 1; a < OP_KINDS; a++) {
        for (unsigned b = 1; b < a; b++) {
            assert_string_not_equal(op_record_name[a], op_record_name[b]);
            if (op_act_name[a] && op_act_name[b])
                assert_string_not_equal(op_act_name[a], op_act_name[b]);
        }
    }
}

static void what_is_no_kind_is_nothing(void **unused)
{
    (void)unused;
    static const unsigned none[] = {OP_NONE, OP_KINDS, UINT8_MAX};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        struct op op = {.size = sizeof op, .kind = (uint8_t)none[i], .flags = OPF_BLOCKING};
        assert_false(op_wants_answer(&op) || op_is_poll(&op) || op_communicates(&op) || op_ends_rank(&op) ||
                     op_is_remark(&op));
        assert_int_equal(op_kind_tail(op.kind), OP_TAIL_NONE);
    }
}

/* Nobody sleeps in an end or a remark; who asks is always answered, and lists what it asks for. */
static void parts_answer_as_they_are(void **unused)
{
    (void)unused;
    for (unsigned kind = 1; kind < OP_KINDS; kind++) {
        struct op op = {.size = sizeof op, .kind = (uint8_t)kind};
        switch (op_kind_part(kind)) {
        case OP_PART_NONE:
            fail();
            break;
        case OP_PART_LIFE:
        case OP_PART_SETTING:
        case OP_PART_REMARK:
        case OP_PART_ON_REQUEST:
        case OP_PART_END:
            op.flags = OPF_BLOCKING;
            assert_false(op_wants_answer(&op));
            break;
        case OP_PART_POST:
            assert_false(op_wants_answer(&op));
            op.flags = OPF_BLOCKING;
            assert_true(op_wants_answer(&op));
            break;
        case OP_PART_COMPLETION:
            assert_int_equal(op_kind_tail(kind), OP_TAIL_NUMBERS);
            /* fallthrough */
        case OP_PART_PROBE:
        case OP_PART_CHOICE:
        case OP_PART_SERVICE:
            assert_true(op_wants_answer(&op));
            break;
        }
        op.flags |= OPF_WENT_ON;
        assert_false(op_wants_answer(&op));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_no_gap),
        cmocka_unit_test(names_are_told_apart),
        cmocka_unit_test(what_is_no_kind_is_nothing),
        cmocka_unit_test(parts_answer_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
