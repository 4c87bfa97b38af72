/*
 * The janitor: whatever comes, and whenever, what it was started for is done.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "world/janitor.h"

static void a_signal_that_comes_at_once_does_not_end_it(void **unused)
{
    static const int number[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    enum { NUMBERS = sizeof number / sizeof *number, TIMES = 25 };
    (void)unused;
    for (int i = 0; i < TIMES * NUMBERS; i++) {
        struct janitor janitor;
        char *scratch = janitor_name_scratch("test_janitor");
        assert_int_equal(mkdir(scratch, 0700), 0);
        janitor_start(&janitor, "NOBODY_HAS_THIS=1", scratch, 0, NULL);
        assert_int_equal(kill(janitor.pid, number[i % NUMBERS]), 0);
        janitor_dismiss(&janitor, scratch);
        assert_int_equal(access(scratch, F_OK), -1);
        free(scratch);
    }
}

static void signals_are_as_before(void **unused)
{
    (void)unused;
    sigset_t before, after;
    struct janitor janitor;
    char *scratch = janitor_name_scratch("test_janitor");
    sigprocmask(SIG_SETMASK, NULL, &before);
    janitor_start(&janitor, "NOBODY_HAS_THIS=1", scratch, 0, NULL);
    sigprocmask(SIG_SETMASK, NULL, &after);
    janitor_dismiss(&janitor, scratch);
    for (int i = 1; i < NSIG; i++)
        assert_int_equal(sigismember(&before, i), sigismember(&after, i));
    free(scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_that_comes_at_once_does_not_end_it),
        cmocka_unit_test(signals_are_as_before),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
