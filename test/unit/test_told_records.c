/* Records of operations, of which equal remarks are one (play/told_records.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "call/window.h"
#include "play/told_records.h"

struct access_tail {
    struct window_use use;
    struct window_piece piece;
};

static const struct op *keep_access(struct told_records *records, uint64_t place, rank_t target, uint64_t at)
{
    struct op op = {.kind = OP_ACCESS, .peer = target, .place = place};
    struct access_tail tail = {.use = {.kind = WINDOW_PUT, .pieces = 1}, .piece = {at, 8}};
    return told_records_keep(records, &op, &tail, sizeof tail);
}

static void equal_remarks_are_one(void **unused)
{
    struct told_records records = {0};
    (void)unused;
    const struct op *first = keep_access(&records, 100, 1, 16);
    assert_ptr_equal(keep_access(&records, 100, 1, 16), first);
    assert_ptr_not_equal(keep_access(&records, 104, 1, 16), first);
    assert_ptr_not_equal(keep_access(&records, 100, 2, 16), first);
    assert_ptr_not_equal(keep_access(&records, 100, 1, 24), first);
    struct op done = {.kind = OP_WINDOW, .event = WINDOW_DONE, .peer = 1};
    const struct op *plain = told_records_keep(&records, &done, NULL, 0);
    done.ticket = 1;
    const struct op *atomic = told_records_keep(&records, &done, NULL, 0);
    assert_int_equal(plain->ticket, 0);
    assert_int_equal(atomic->ticket, 1);
    told_records_release(&records);
}

/* Who has met whom is known by where they lie. */
static void other_operations_are_told_apart(void **unused)
{
    struct told_records records = {0};
    struct op send = {.kind = OP_SEND, .peer = 1, .place = 100};
    (void)unused;
    assert_ptr_not_equal(told_records_keep(&records, &send, NULL, 0), told_records_keep(&records, &send, NULL, 0));
    told_records_release(&records);
}

/* Also when there are many, and again after they were dropped. */
static void records_stay_where_they_are(void **unused)
{
    enum { MANY = 5000 };
    static const struct op *kept[MANY];
    struct told_records records = {0};
    (void)unused;
    for (int round = 0; round < 2; round++) {
        for (uint64_t i = 0; i < MANY; i++)
            kept[i] = keep_access(&records, 100, 1, 8 * i + (uint64_t)round);
        for (uint64_t i = 0; i < MANY; i++) {
            const struct access_tail *tail = op_tail(kept[i]);
            assert_int_equal(kept[i]->size, sizeof(struct op) + sizeof *tail);
            assert_int_equal(tail->piece.at, 8 * i + (uint64_t)round);
        }
        told_records_clear(&records);
    }
    told_records_release(&records);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_remarks_are_one),
        cmocka_unit_test(other_operations_are_told_apart),
        cmocka_unit_test(records_stay_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
