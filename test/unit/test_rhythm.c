/* Which questions are a round that comes back (play/rhythm.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "play/rhythm.h"

/* How many of so many questions did not go on, if the n-th is one of `of` in turn. */
static int breaks_in_turn(uint64_t of, int questions)
{
    struct rhythm rhythm = {0};
    int breaks = 0;
    for (int i = 0; i < questions; i++)
        breaks += !rhythm_goes_on(&rhythm, (uint64_t)i % of);
    return breaks;
}

static void test_rounds_go_on(void **state)
{
    (void)state;
    assert_int_equal(breaks_in_turn(1, 1000), 2);
    assert_int_equal(breaks_in_turn(3, 1000), 4);
    assert_int_equal(breaks_in_turn(RHYTHM_LONGEST, 1000), RHYTHM_LONGEST + 1);
}

/* A large array, also if it is read over and over. */
static void test_long_ways_do_not(void **state)
{
    (void)state;
    assert_int_equal(breaks_in_turn(RHYTHM_LONGEST + 1, 1000), 1000);
    assert_int_equal(breaks_in_turn(100000, 100000), 100000);
}

/* Lookups here and there in a small table: no round lasts. */
static void test_lookups_do_not(void **state)
{
    (void)state;
    struct rhythm rhythm = {0};
    uint64_t number = 1;
    int longest = 0, lasts = 0;
    for (int i = 0; i < 100000; i++) {
        number = number * 6364136223846793005u + 1442695040888963407u;
        lasts = rhythm_goes_on(&rhythm, number >> 60) ? lasts + 1 : 0;
        longest = lasts > longest ? lasts : longest;
    }
    assert_true(longest < 16);
}

/* Another round, after something was different once. */
static void test_round_is_found_again(void **state)
{
    (void)state;
    struct rhythm rhythm = {0};
    for (int i = 0; i < 10; i++)
        (void)rhythm_goes_on(&rhythm, (uint64_t)i % 2);
    assert_false(rhythm_goes_on(&rhythm, 7));
    int breaks = 0;
    for (int i = 0; i < 100; i++)
        breaks += !rhythm_goes_on(&rhythm, (uint64_t)i % 2);
    assert_true(breaks > 0 && breaks < 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds_go_on),
        cmocka_unit_test(test_long_ways_do_not),
        cmocka_unit_test(test_lookups_do_not),
        cmocka_unit_test(test_round_is_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
