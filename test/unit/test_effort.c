/* What counts as effort is the processor time of tourney and of the rank, or the steps for which that was followed, if it is more than usual. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "drive/effort.h"

static int64_t my_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void compute_for(int64_t microseconds)
{
    int64_t begun = my_time();
    while (my_time() - begun < microseconds)
        ;
}

/* This process stands for the rank as well; both together take no longer than the clock says. */
static void test_time_of_both(void **state)
{
    struct effort *effort = calloc(1, sizeof *effort);
    (void)state;
    effort_begin(effort);
    effort_end(effort, 3, getpid());
    effort_begin(effort);
    assert_int_equal(effort_end(effort, 3, getpid()), 0);
    effort_begin(effort);
    compute_for(30000);
    assert_in_range(effort_end(effort, 3, getpid()), 90, 2000);
    effort_begin(effort);
    usleep(30000);
    assert_int_equal(effort_end(effort, 3, getpid()), 0);
    free(effort);
}

/* Brief segments are no effort, however many there are; nor are they counted with the next long one. */
static void test_brief_segments(void **state)
{
    struct effort *effort = calloc(1, sizeof *effort);
    (void)state;
    effort_begin(effort);
    compute_for(2000);
    effort_end(effort, 3, getpid());
    for (int i = 0; i < 100; i++) {
        effort_begin(effort);
        compute_for(300);
        assert_in_range(effort_end(effort, 3, getpid()), 0, 100); /* unless somebody else had the processor meanwhile */
    }
    effort_begin(effort);
    compute_for(3000);
    assert_in_range(effort_end(effort, 3, getpid()), 0, 100); /* 20, not 220 */
    free(effort);
}

/* Of a segment that ran before it was asked for the clock says nothing. */
static void test_aside(void **state)
{
    struct effort *effort = calloc(1, sizeof *effort);
    (void)state;
    effort_begin(effort);
    effort_was_aside(effort);
    effort_end(effort, 3, getpid());
    compute_for(30000);
    effort_begin(effort);
    effort_was_aside(effort);
    assert_in_range(effort_end(effort, 3, getpid()), 90, 2000);
    free(effort);
}

/* One that nobody knows any more has taken nothing. */
static void test_no_process(void **state)
{
    struct effort *effort = calloc(1, sizeof *effort);
    (void)state;
    effort_begin(effort);
    assert_int_equal(effort_end(effort, 0, 0x3ffffff0), 0);
    free(effort);
}

/* Steps are told alike each time, whatever the time they take. */
static void test_steps(void **state)
{
    (void)state;
    assert_int_equal(effort_of_steps(0), 0);
    assert_int_equal(effort_of_steps(2399), 0);
    assert_int_equal(effort_of_steps(2400), 4);
    assert_int_equal(effort_of_steps(6000000), 10000);
    assert_int_equal(effort_of_steps(UINT64_MAX), UINT16_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_of_both),
        cmocka_unit_test(test_brief_segments),
        cmocka_unit_test(test_aside),
        cmocka_unit_test(test_no_process),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
