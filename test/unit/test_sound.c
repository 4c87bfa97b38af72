/* Operations from outside: what can be one, and what cannot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "call/sound.h"

enum { RANKS = 4, ROOM = 256 };

/* An operation with room for a tail of `tail` bytes. */
static union {
    struct op op;
    uint64_t words[ROOM / sizeof(uint64_t)];
} it;

static struct op *make(enum op_kind kind, size_t tail)
{
    memset(&it, 0, sizeof it);
    it.op.kind = (uint8_t)kind;
    it.op.size = (uint32_t)(sizeof it.op + op_round(tail));
    return &it.op;
}

static void is_sound(bool expected)
{
    assert_int_equal(op_is_sound(&it.op, it.op.size, RANKS), expected);
}

static void records_are_whole(void **unused)
{
    (void)unused;
    struct op *op = make(OP_INIT, 8);
    is_sound(true);
    assert_false(op_is_sound(op, op->size - 8, RANKS));
    assert_false(op_is_sound(op, 0, RANKS));
    op->size = sizeof *op - 8;
    assert_false(op_is_sound(op, ROOM, RANKS));
    op->size = sizeof *op + 4;
    assert_false(op_is_sound(op, ROOM, RANKS));
    make((enum op_kind)OP_NONE, 0);
    is_sound(false);
    make((enum op_kind)OP_KINDS, 0);
    is_sound(false);
    make(OP_INIT, 0)->call = UINT16_MAX;
    is_sound(false);
}

static void ranks_tags_and_requests_are_in_range(void **unused)
{
    static const struct {
        enum op_kind kind;
        rank_t peer;
        int32_t tag;
        bool sound;
    } cases[] = {
        {OP_SEND, 3, 0, true},         {OP_SEND, 4, 0, false},         {OP_SEND, RANK_ANY, 0, false},
        {OP_SEND, 0, -1, false},       {OP_RECV, RANK_ANY, -1, true},  {OP_RECV, 3, 7, true},
        {OP_RECV, 4, 7, false},        {OP_RECV, RANK_NONE, 7, false}, {OP_RECV, 0, -2, false},
        {OP_PROBE, RANK_ANY, 0, true}, {OP_IPROBE, INT32_MAX, 0, false},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct op *op = make(cases[i].kind, 0);
        op->peer = cases[i].peer;
        op->tag = cases[i].tag;
        is_sound(cases[i].sound);
        op->request = OP_MOST_REQUESTS;
        is_sound(false);
    }
}

static void lists_lie_in_the_tail(void **unused)
{
    (void)unused;
    struct op *op = make(OP_WAIT, 8);
    op->items = 2;
    is_sound(true);
    op->items = 3;
    is_sound(false);
    op->payload = 4096; /* elsewhere */
    is_sound(true);
    op->items = UINT32_MAX;
    is_sound(false);
    op = make(OP_TEST, 8);
    op->items = 2;
    ((uint32_t *)(op + 1))[1] = OP_MOST_REQUESTS;
    is_sound(false);
    make(OP_CRASH, 16)->items = 2;
    is_sound(true);
    it.op.items = 3;
    is_sound(false);
}

static void threads_that_wait_are_told_of(void **unused)
{
    (void)unused;
    struct op *op = make(OP_WAIT, 8 + 2 * sizeof(struct op_thread));
    struct op_thread *thread = (struct op_thread *)((char *)(op + 1) + 8);
    op->flags = OPF_ANY | OPF_EITHER | OPF_BLOCKING;
    op->items = 1;
    op->type = 2;
    thread[0] = thread[1] = (struct op_thread){.wait = THREAD_ON_MUTEX, .other = -1};
    is_sound(true);
    thread[1].wait = THREAD_ON_ANOTHER + 1;
    is_sound(false);
    thread[1].wait = THREAD_ON_END;
    thread[1].other = 256;
    is_sound(false);
    thread[1].other = 255;
    thread[1].thread = 256;
    is_sound(false);
    thread[1].thread = 255;
    is_sound(true);
}

static void communicators_have_members(void **unused)
{
    (void)unused;
    struct op_group *group = (struct op_group *)(make(OP_CONTEXT, sizeof *group + 8) + 1);
    is_sound(false);
    *group = (struct op_group){.members = 2, .first_group = 2};
    is_sound(true);
    group->first_group = 3;
    is_sound(false);
    group->first_group = 1;
    group->member[1] = RANKS;
    is_sound(false);
    group->members = UINT32_MAX;
    is_sound(false);
    make(OP_CONTEXT, 8);
    is_sound(false);
}

static void collectives_describe_themselves(void **unused)
{
    (void)unused;
    struct op_coll *coll = (struct op_coll *)(make(OP_COLL, sizeof *coll + 32) + 1);
    is_sound(true);
    coll->listed = 2;
    coll->slices = 1;
    coll->takes = 1;
    is_sound(true);
    coll->takes = 2;
    is_sound(false);
    coll->takes = 0;
    coll->slices = UINT32_MAX;
    is_sound(false);
    coll->slices = 0;
    coll->listed = UINT32_MAX;
    is_sound(false);
    make(OP_COLL, 8);
    is_sound(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_whole),
        cmocka_unit_test(ranks_tags_and_requests_are_in_range),
        cmocka_unit_test(lists_lie_in_the_tail),
        cmocka_unit_test(threads_that_wait_are_told_of),
        cmocka_unit_test(communicators_have_members),
        cmocka_unit_test(collectives_describe_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
