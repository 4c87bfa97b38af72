/* Numbers of runs as people write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "words/round_number.h"

static void check(double number, const char *expected)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    round_number_put(out, number);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void digits(void **unused)
{
    (void)unused;
    check(12.8, "about 13");
    check(99.9, "about 100");
    check(5040, "about 5,040");
    check(999.9, "about 1,000");
    check(12345, "about 12,300");
    check(999999, "about 1 million");
    check(3628800, "about 3.63 million");
    check(479001600, "about 479 million");
}

static void sizes(void **unused)
{
    (void)unused;
    check(1e9, "more than 10^9");
    check(8.7e10, "more than 10^10");
    check(HUGE_VAL, "any number");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(digits), cmocka_unit_test(sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
