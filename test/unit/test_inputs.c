/*
 * Inputs without programs: what is made of them, and whether the guide finds what chance does not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../inputs/nested.h"
#include "inputs/corpus.h"
#include "inputs/guide.h"
#include "options/input_lines.h"

static input_bytes_t bytes_of(const char *text)
{
    input_bytes_t bytes = {0};
    input_replace(&bytes, 0, 0, text, strlen(text));
    return bytes;
}

/* Whether one of the solutions makes this of the input. */
static bool becomes(const char *input, const struct observation *seen, const char *wanted)
{
    input_bytes_t bytes = bytes_of(input);
    solutions_t found = {0};
    bool made = false;
    solutions_find(&found, &bytes, seen);
    for (size_t i = 0; i < found.n; i++) {
        input_bytes_t changed = bytes_of(input);
        input_replace(&changed, found.at[i].at, found.at[i].cut, found.at[i].with, found.at[i].bytes);
        made = made || (changed.n == strlen(wanted) && memcmp(changed.at, wanted, changed.n) == 0);
        vec_release(&changed);
    }
    vec_release(&found);
    vec_release(&bytes);
    return made;
}

static void numbers_are_found_in_bytes(void **state)
{
    (void)state;
    struct observation seen = {0};
    vec_push(&seen.compared, ((struct compared){.left = 0x44434241, .right = 0x34333231, .bytes = 4, .is_constant = 1}));
    assert_true(becomes("x1234x", &seen, "xABCDx"));
    assert_true(becomes("x4321x", &seen, "xDCBAx"));
    assert_true(becomes("x1234x", &seen, "xBBCDx")); /* one more */
    assert_false(becomes("x1235x", &seen, "xABCDx"));
    observation_release(&seen);
}

static void numbers_are_found_in_digits(void **state)
{
    (void)state;
    struct observation seen = {0};
    double limit = 0.5, value = 12;
    struct compared real = {.bytes = 8, .is_real = 1};
    memcpy(&real.left, &value, 8);
    memcpy(&real.right, &limit, 8);
    vec_push(&seen.compared, ((struct compared){.left = (uint32_t)-7, .right = 100, .bytes = 4, .is_constant = 1}));
    vec_push(&seen.compared, real);
    assert_true(becomes("steps = 100\n", &seen, "steps = -7\n"));
    assert_true(becomes("steps = 100\n", &seen, "steps = -8\n")); /* one less */
    assert_true(becomes("steps = 50\n", &seen, "steps = -57\n")); /* the program has added 50 before it compared */
    assert_true(becomes("dt = 12.0\n", &seen, "dt = 0.5\n"));
    assert_false(becomes("steps100\n", &seen, "steps-7\n")); /* it is no number there */
    observation_release(&seen);
}

static void texts_are_found(void **state)
{
    (void)state;
    struct observation seen = {0};
    vec_push(&seen.texts, ((struct compared_text){.bytes = {2, 9}, .side = {"cg", "multigrid"}}));
    assert_true(becomes("solver cg", &seen, "solver multigrid"));
    observation_release(&seen);
}

/* ---- three conditions, each behind the one before ---- */

static void add_compared(struct observation *seen, uint64_t place, uint64_t wanted, uint64_t got, int bytes)
{
    vec_push(&seen->compared, ((struct compared){place, wanted, got, (uint8_t)bytes, 1, 0}));
}

/* What a compiler's calls would tell of nested_depth. */
static void observe_nested(void *deepest, const input_bytes_t *input, uint32_t from, struct observation *seen)
{
    (void)from;
    struct nested head = {0};
    memcpy(&head, input->at, input->n < sizeof head ? input->n : sizeof head);
    int depth = nested_depth(input->at, input->n);
    add_compared(seen, 1, 0x4d455348, head.kind, 4);
    if (depth > 0)
        add_compared(seen, 2, 8, head.version - 70000, 4);
    if (depth > 1)
        add_compared(seen, 3, 0x0123456789abcdef, head.cells, 8);
    vec_push(&seen->features, (uint32_t)depth);
    if (depth > *(int *)deepest)
        *(int *)deepest = depth;
}

static const char start[] = "a mesh of some kind, in bytes";

static void guided_inputs_find_it(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        int deepest = 0;
        struct guide guide;
        input_bytes_t bytes = bytes_of(start);
        guide_init(&guide, seed, 100, observe_nested, &deepest);
        guide_begin_with(&guide, &bytes, true);
        while (!guide_is_over(&guide) && deepest < 3)
            guide_go_on(&guide);
        assert_int_equal(deepest, 3);
        assert_int_equal(guide.kept.n, 4); /* the first, and one for each condition */
        guide_release(&guide);
        vec_release(&bytes);
    }
}

static void random_inputs_do_not(void **state)
{
    (void)state;
    struct dice dice = {1};
    input_bytes_t first = bytes_of(start);
    for (int i = 0; i < 10000; i++) {
        input_bytes_t input = bytes_of(start);
        input_mutate(&input, &first, &dice);
        assert_true(nested_depth(input.at, input.n) < 3);
        vec_release(&input);
    }
    vec_release(&first);
}

/* What is not needed to show the same is left out. */
static void observe_last_byte(void *unused, const input_bytes_t *input, uint32_t from, struct observation *seen)
{
    (void)unused, (void)from;
    vec_push(&seen->features, input->n && input->at[input->n - 1] != ' ');
}

static void inputs_are_made_shorter(void **state)
{
    (void)state;
    struct guide guide;
    input_bytes_t bytes = {0};
    uint32_t kept = GUIDE_NOTHING;
    for (int i = 0; i < 512; i++)
        vec_push(&bytes, ' ');
    guide_init(&guide, 1, 1000, observe_last_byte, NULL);
    guide_begin_with(&guide, &bytes, true);
    while (kept == GUIDE_NOTHING && !guide_is_over(&guide))
        kept = guide_go_on(&guide);
    assert_int_equal(kept, 1);
    assert_true(guide.kept.at[1].bytes.n < 64);
    guide_release(&guide);
    vec_release(&bytes);
}

/* A rank may have written over what it noted. */
static void what_cannot_be_is_left_out(void **state)
{
    (void)state;
    assert_true(compared_is_sound(&(struct compared){.bytes = 8}));
    assert_false(compared_is_sound(&(struct compared){.bytes = 0}));
    assert_false(compared_is_sound(&(struct compared){.bytes = 3}));
    assert_false(compared_is_sound(&(struct compared){.bytes = 2, .is_real = 1}));
    assert_true(compared_text_is_sound(&(struct compared_text){.bytes = {COVERAGE_TEXT, 0}}));
    assert_false(compared_text_is_sound(&(struct compared_text){.bytes = {0, COVERAGE_TEXT + 1}}));
}

static void features_are_sets(void **state)
{
    (void)state;
    const uint32_t some[] = {2, 5}, all[] = {1, 2, 5, 9}, other[] = {1, 2, 6};
    assert_true(features_include(some, 2, all, 4));
    assert_false(features_include(some, 2, other, 3));
    assert_true(features_include(some, 0, other, 0));
}

static void inputs_become_arguments(void **state)
{
    (void)state;
    struct argument_line line = {0};
    char *named[] = {"solver", "-f=@@", "x", NULL}, *spread[] = {"solver", "@@args", NULL}, *plain[] = {"solver", NULL};
    assert_true(input_line_make(&line, named, "d/in", NULL, 0));
    assert_string_equal(line.argv[1], "-f=d/in");
    assert_false(line.is_standard_input);
    argument_line_release(&line);
    assert_true(input_line_make(&line, spread, "d/in", (const uint8_t *)"-n 'a b'\n3", 10));
    assert_string_equal(line.argv[2], "a b");
    assert_string_equal(line.argv[3], "3");
    assert_null(line.argv[4]);
    argument_line_release(&line);
    assert_false(input_line_make(&line, spread, "d/in", (const uint8_t *)"'a", 2));
    argument_line_release(&line);
    assert_false(input_line_make(&line, spread, "d/in", (const uint8_t *)"a\0b", 3));
    argument_line_release(&line);
    assert_true(input_line_make(&line, plain, "d/in", NULL, 0));
    assert_true(line.is_standard_input);
    argument_line_release(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_found_in_bytes), cmocka_unit_test(numbers_are_found_in_digits),
        cmocka_unit_test(texts_are_found),            cmocka_unit_test(guided_inputs_find_it),
        cmocka_unit_test(random_inputs_do_not),       cmocka_unit_test(inputs_are_made_shorter),
        cmocka_unit_test(what_cannot_be_is_left_out), cmocka_unit_test(features_are_sets),          cmocka_unit_test(inputs_become_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
