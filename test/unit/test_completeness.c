/* What is said of a search that was cut short. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "words/completeness_words.h"

static void expect_sentence(struct completeness complete, const char *wanted)
{
    char *said = completeness_sentence(&complete);

    if (wanted)
        assert_string_equal(said, wanted);
    else
        assert_null(said);
    free(said);
}

/* Where runs depart is said only if it is not everywhere. */
static void test_departures_by_place(void **state)
{
    (void)state;
    expect_sentence((struct completeness){.departures = 1}, NULL);
    expect_sentence((struct completeness){.departures = 1, .known = 3, .last = 3, .decisions = 98},
                    "every run was looked at that departs at most once from what the search decides first, and that in the last 3 of 98 "
                    "decisions");
    expect_sentence((struct completeness){.departures = 1, .buffered = true, .known = 5, .last = 3, .decisions = 98},
                    "if MPI buffers everything, every run was looked at that departs at most once from what the search decides first, and "
                    "that in 5 of 98 decisions");
    expect_sentence((struct completeness){.departures = 1, .known = 98, .last = 98, .decisions = 98},
                    "every run was looked at that departs at most once from what the search decides first");
    expect_sentence((struct completeness){.departures = 3, .known = 98, .last = 98, .decisions = 98},
                    "every run was looked at that departs at most twice from what the search decides first");
}

/* Of the run that was made ahead, outcomes of its decisions are told. */
static void test_outcomes_of_first_run(void **state)
{
    (void)state;
    expect_sentence((struct completeness){.from = FROM_RUN_AHEAD}, NULL);
    expect_sentence((struct completeness){.from = FROM_RUN_AHEAD, .buffered = true, .known = 3, .last = 3, .decisions = 98},
                    "if MPI buffers everything, every run was looked at that departs from the first run once, by another outcome of one of "
                    "the last 3 of its 98 decisions");
    expect_sentence((struct completeness){.from = FROM_RUN_AHEAD, .known = 5, .last = 3, .decisions = 98},
                    "every run was looked at that departs from the first run once, by another outcome of one of 5 of its 98 decisions");
    expect_sentence((struct completeness){.from = FROM_RUN_AHEAD, .known = 98, .last = 98, .decisions = 98},
                    "every run was looked at that departs from the first run once, by another outcome of one of its 98 decisions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_departures_by_place),
        cmocka_unit_test(test_outcomes_of_first_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
