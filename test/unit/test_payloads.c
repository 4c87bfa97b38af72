/* Where payloads lie that were handed over long ago. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "drive/payloads.h"

enum { MANY = 16, LONG = 1 << 20 };

static struct memory memory;

/* A payload of one letter that claims to have this sum. */
static struct payload_block make_block(uint64_t bytes, char letter, uint64_t sum)
{
    struct payload_block block = {.at = arena_take(&memory, bytes), .bytes = bytes, .sum = sum};

    memset(arena_at(&memory, block.at), letter, bytes);
    return block;
}

static void expect_letter(struct payloads *payloads, struct payload *payload, char letter)
{
    const char *at = arena_at(&memory, payloads_offset(payloads, payload));

    assert_int_equal(at[0], letter);
    assert_int_equal(at[payload->block.bytes - 1], letter);
}

/* What is long lies on disk once, however often it was sent; but for its sum, contents are compared. */
static void test_same_contents_lie_aside_once(void **state)
{
    struct payloads payloads = {.memory = &memory};
    struct payload *list[MANY];

    (void)state;
    memory_open(&memory, 1, 1, 1);
    for (int i = 0; i < MANY; i++) {
        struct payload_block block = make_block(LONG, (char)(i == 3 ? 'b' : 'a'), 7);

        list[i] = payloads_keep(&payloads, &block, 1);
    }
    payloads_put_aside(&payloads);
    assert_null(list[MANY - 1]->aside);
    assert_non_null(list[0]->aside);
    assert_ptr_equal(list[1]->aside, list[0]->aside);
    assert_ptr_equal(list[2]->aside, list[0]->aside);
    assert_ptr_not_equal(list[3]->aside, list[0]->aside);
    assert_ptr_equal(list[5]->aside, list[4]->aside);
    for (int i = 0; i < MANY; i++)
        expect_letter(&payloads, list[i], i == 3 ? 'b' : 'a');
    payloads_release(&payloads);
    memory_close(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_contents_lie_aside_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
