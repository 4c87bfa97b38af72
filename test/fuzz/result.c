/*
 * result.json: what was read is written and read again as the same, and goes into every
 * form for other tools.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "report/page.h"
#include "report/summary.h"
#include "result/annotate.h"
#include "result/junit.h"
#include "result/policy.h"
#include "result/sarif.h"

static void put(char *text)
{
    if (!text)
        abort();
    free(text);
}

static void print_all(const struct result *result)
{
    struct kept_runs *runs = calloc(result->findings.n + 1, sizeof *runs);
    struct terminal terminal = {.out = fuzz_nowhere(), .colour = true, .columns = 40, .prose = 40};
    put(sarif_print(result));
    put(junit_print(result));
    put(annotate_print(result));
    page_write(fuzz_nowhere(), &(struct html_page){result, runs, &(decision_trees_t){0}, "tourney.out", 0, false});
    for (size_t i = 0; i < result->findings.n; i++)
        summary_of_finding(&terminal, result, &result->findings.at[i], "tourney.out");
    summary_of_coverage(&terminal, result, &(struct coverage){"tourney.out", true, true});
    free(runs);
}

static void judge(struct result *result)
{
    struct policy policy = {0};
    char *why;
    if (policy_add_opinion(&policy, "*leak=off", &why) < 0 ||
        policy_add_suppressions(&policy, "file", "* call=MPI_S* place=*.c:1* function=m*", &why) < 0)
        abort();
    for (size_t i = 0; i < result->findings.n; i++) {
        put(policy_rule_for(&result->findings.at[i]));
        policy_shows(&policy, &result->findings.at[i]);
        policy_apply(&policy, &result->findings.at[i]);
    }
    policy_release(&policy);
}

void fuzz_one(const uint8_t *bytes, size_t size)
{
    struct result result, again;
    char *why = NULL;
    result_is_one((const char *)bytes, size);
    if (result_parse(&result, (const char *)bytes, size, &why) < 0) {
        put(why);
        return;
    }
    char *first = result_print(&result);
    if (result_parse(&again, first, strlen(first), &why) < 0)
        abort();
    char *second = result_print(&again);
    if (strcmp(first, second) != 0)
        abort();
    free(first);
    free(second);
    print_all(&result);
    judge(&again);
    result_release(&result);
    result_release(&again);
}
