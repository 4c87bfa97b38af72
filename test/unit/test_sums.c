/* Whether a sum of a buffer sees every change of what it is made of (shim/guard/sum.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "shim/guard/sum.c" /* no library for tests has it */

enum { FEW = 4, ALL = 256, MOST = 1600, BITS = 8 };

static void fill(char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (char)(i * 37 >> 2);
}

/* How many bits of these bytes can change and leave the sum as it is. */
static int bits_unseen(char *bytes, size_t from, size_t until, size_t n, size_t samples)
{
    uint64_t sum = sum_of_buffer(bytes, n, samples);
    int unseen = 0;
    for (size_t i = from * BITS; i < until * BITS; i++) {
        bytes[i / BITS] ^= (char)(1 << i % BITS);
        unseen += sum_of_buffer(bytes, n, samples) == sum;
        bytes[i / BITS] ^= (char)(1 << i % BITS);
    }
    assert_int_equal(sum_of_buffer(bytes, n, samples), sum);
    return unseen;
}

static void test_whole_buffers(void **state)
{
    (void)state;
    char bytes[MOST + 1];
    fill(bytes, sizeof bytes);
    for (size_t n = 1; n <= 3 * SAMPLE_BYTES + 1; n++)
        assert_int_equal(bits_unseen(bytes + 1, 0, n, n, FEW), 0);
    for (size_t n = MOST - SAMPLE_BYTES; n <= MOST; n += 7)
        assert_int_equal(bits_unseen(bytes, 0, n, n, ALL), 0);
}

/* A small number beside another one. */
static void test_small_numbers(void **state)
{
    (void)state;
    uint64_t numbers[MOST / sizeof(uint64_t)];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        numbers[i] = i / 2;
    for (size_t n = SAMPLE_BYTES; n <= sizeof numbers; n += sizeof *numbers)
        assert_int_equal(bits_unseen((char *)numbers, 0, SAMPLE_BYTES, n, ALL), 0);
}

static void test_samples(void **state)
{
    (void)state;
    char bytes[MOST];
    fill(bytes, sizeof bytes);
    for (size_t i = 0; i < FEW; i++) {
        size_t from = i * (MOST / FEW);
        assert_int_equal(bits_unseen(bytes, from, from + SAMPLE_BYTES, MOST, FEW), 0);
        assert_int_equal(bits_unseen(bytes, from + SAMPLE_BYTES, from + SAMPLE_BYTES + 1, MOST, FEW), BITS);
    }
    assert_int_equal(bits_unseen(bytes, MOST - SAMPLE_BYTES, MOST, MOST, FEW), 0);
}

/* Wherever they lie, and in which order they are. */
static void test_only_contents_count(void **state)
{
    (void)state;
    char bytes[MOST] = {0}, copy[MOST + 1] = {0};
    fill(bytes, sizeof bytes);
    memcpy(copy + 1, bytes, sizeof bytes);
    assert_int_equal(sum_of_buffer(copy + 1, MOST, ALL), sum_of_buffer(bytes, MOST, ALL));
    memcpy(copy + 1, bytes + SAMPLE_BYTES, SAMPLE_BYTES);
    memcpy(copy + 1 + SAMPLE_BYTES, bytes, SAMPLE_BYTES);
    assert_int_not_equal(sum_of_buffer(copy + 1, MOST, ALL), sum_of_buffer(bytes, MOST, ALL));
}

/* Zeros become ones, and the other way round: long changes that repeat themselves. */
static void test_long_changes(void **state)
{
    (void)state;
    char bytes[MOST] = {0};
    uint64_t zeros = sum_of_buffer(bytes, MOST, FEW);
    memset(bytes, 1, MOST / 2);
    uint64_t half = sum_of_buffer(bytes, MOST, FEW);
    memset(bytes, 1, MOST);
    uint64_t ones = sum_of_buffer(bytes, MOST, FEW);
    assert_true(zeros != half && half != ones && ones != zeros);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_buffers),
        cmocka_unit_test(test_small_numbers),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_only_contents_count),
        cmocka_unit_test(test_long_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
