/*
 * The run of a finding, run-N.json: written and read again it is the same.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "report/page.h"

static void show(const struct run_chart *run)
{
    struct finding finding = {.id = 1, .kind = "deadlock", .severity = "error", .message = "", .text = ""};
    struct result result = {.program = "ring", .buffering = "any", .findings = {&finding, 1, 1}};
    page_write(fuzz_nowhere(), &(struct html_page){&result, &(struct kept_runs){run, run}, &(decision_trees_t){0},
                                                   "tourney.out", 0, false});
}

void fuzz_one(const uint8_t *bytes, size_t size)
{
    struct run_chart run, again;
    char *why = NULL;
    if (run_chart_parse(&run, (const char *)bytes, size, &why) < 0) {
        if (!why)
            abort();
        free(why);
        return;
    }
    char *first = run_chart_print(&run);
    if (run_chart_parse(&again, first, strlen(first), &why) < 0)
        abort();
    char *second = run_chart_print(&again);
    if (strcmp(first, second) != 0)
        abort();
    free(first);
    free(second);
    show(&run);
    run_chart_release(&run);
    run_chart_release(&again);
}
