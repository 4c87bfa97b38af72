/*
 * Severities and suppressions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "result/kinds.h"
#include "result/policy.h"

static void patterns(void **state)
{
    (void)state;
    assert_true(pattern_fits("MPI_Send", "MPI_Send"));
    assert_false(pattern_fits("MPI_Send", "MPI_Sendrecv"));
    assert_true(pattern_fits("MPI_*", "MPI_Send"));
    assert_true(pattern_fits("*.c:1*", "/a/ring.c:12"));
    assert_true(pattern_fits("*a*b*", "xxaaxbb"));
    assert_false(pattern_fits("*a*b", "xxbxa"));
    assert_true(pattern_fits("*", ""));
    assert_false(pattern_fits("", "x"));
}

static void refuses(int got, char **why, const char *expected)
{
    assert_int_equal(got, -1);
    assert_string_equal(*why, expected);
    free(*why);
}

static void opinions(void **state)
{
    struct policy policy = {0};
    char *why;
    (void)state;
    assert_int_equal(policy_severity(&policy, "deadlock", "error"), SEVERITY_ERROR);
    assert_int_equal(policy_add_opinion(&policy, "lost-message=error", &why), 0);
    assert_int_equal(policy_add_opinion(&policy, "collective-*=note", &why), 0);
    assert_int_equal(policy_add_opinion(&policy, "collective-root=off", &why), 0);
    assert_int_equal(policy_severity(&policy, "lost-message", "warning"), SEVERITY_ERROR);
    assert_int_equal(policy_severity(&policy, "collective-type", "error"), SEVERITY_NOTE);
    assert_int_equal(policy_severity(&policy, "collective-root", "error"), SEVERITY_OFF);
    refuses(policy_add_opinion(&policy, "deadlock", &why), &why,
            "-W is KIND=error, warning, note or off, not 'deadlock'");
    refuses(policy_add_opinion(&policy, "deadlock=bad", &why), &why,
            "-W is KIND=error, warning, note or off, not 'deadlock=bad'");
    refuses(policy_add_opinion(&policy, "deadlok=error", &why), &why, "-W: no finding is called 'deadlok'");
    refuses(policy_add_opinion(&policy, "=off", &why), &why, "-W: no finding is called ''");
    policy_release(&policy);
}

static struct finding finding(const char *kind, const char *call, const char *file, int line, const char *function)
{
    struct finding finding = {.kind = xstrdup(kind), .severity = xstrdup("warning")};
    struct site site = {.call = xstrdup(call), .file = xstrdup(file), .line = line, .function = xstrdup(function)};
    vec_push(&finding.places, site);
    return finding;
}

static bool tells(const char *rules, const char *kind, const char *call, const char *file, int line)
{
    struct policy policy = {0};
    struct finding it = finding(kind, call, file, line, "main");
    char *why;
    assert_int_equal(policy_add_suppressions(&policy, "rules", rules, &why), 0);
    bool told = policy_apply(&policy, &it);
    finding_release(&it);
    policy_release(&policy);
    return told;
}

static void suppressions(void **state)
{
    (void)state;
    assert_true(tells("", "lost-message", "MPI_Send", "ring.c", 3));
    assert_false(tells("lost-message", "lost-message", "MPI_Send", "ring.c", 3));
    assert_true(tells("deadlock", "lost-message", "MPI_Send", "ring.c", 3));
    assert_false(tells("# known\n\n  lost-message\tcall=MPI_S* # why\r\n", "lost-message", "MPI_Send", "ring.c", 3));
    assert_true(tells("lost-message call=MPI_I*", "lost-message", "MPI_Send", "ring.c", 3));
    assert_false(tells("* place=ring.c:3", "lost-message", "MPI_Send", "/home/x/ring.c", 3));
    assert_false(tells("* place=/home/*:3", "lost-message", "MPI_Send", "/home/x/ring.c", 3));
    assert_true(tells("* place=ring.c:4", "lost-message", "MPI_Send", "/home/x/ring.c", 3));
    assert_true(tells("* place=ring.c:3 function=other", "lost-message", "MPI_Send", "ring.c", 3));
    assert_false(tells("* place=ring.c:* function=ma*", "lost-message", "MPI_Send", "ring.c", 3));
}

static void rules_are_printed_as_they_are_read(void **state)
{
    struct policy policy = {0};
    struct finding it = finding("lost-message", "MPI_Send", "/a/ring.c", 41, "main");
    char *rule = policy_rule_for(&it), *why;
    (void)state;
    assert_string_equal(rule, "lost-message call=MPI_Send place=ring.c:41 function=main");
    assert_int_equal(policy_add_suppressions(&policy, "rules", rule, &why), 0);
    assert_false(policy_apply(&policy, &it));
    free(rule);
    finding_release(&it);
    policy_release(&policy);
}

static void bad_rules(void **state)
{
    struct policy policy = {0};
    char *why;
    (void)state;
    refuses(policy_add_suppressions(&policy, "f", "deadlock\nlost-mesage", &why), &why,
            "f:2: no finding is called 'lost-mesage'");
    refuses(policy_add_suppressions(&policy, "f", "\n\ndeadlock line=3", &why), &why,
            "f:3: 'line=3' is not call=, place= or function= with a pattern");
    refuses(policy_add_suppressions(&policy, "f", "deadlock call=", &why), &why, "f:1: 'call=' lacks its pattern");
    refuses(policy_add_suppressions(&policy, "f", "deadlock call=a call=b", &why), &why,
            "f:1: 'call=b' is the second of its kind");
    policy_release(&policy);
}

static void notes_are_shown_if_asked_for(void **state)
{
    struct policy policy = {0};
    struct finding it = finding("message-race", "MPI_Recv", "a.c", 1, "main");
    char *why;
    (void)state;
    assert_true(policy_shows(&policy, &it));
    free(it.severity);
    it.severity = xstrdup("note");
    assert_false(policy_shows(&policy, &it));
    assert_int_equal(policy_add_opinion(&policy, "message-race=note", &why), 0);
    assert_true(policy_shows(&policy, &it));
    finding_release(&it);
    policy_release(&policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),     cmocka_unit_test(opinions),
        cmocka_unit_test(suppressions), cmocka_unit_test(rules_are_printed_as_they_are_read),
        cmocka_unit_test(bad_rules),    cmocka_unit_test(notes_are_shown_if_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
