/*
 * The decisions of a search, tree.json: written and read again they are the same.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "report/page.h"

static void show(const decision_trees_t *trees)
{
    struct result result = {.program = "ring", .buffering = "any"};
    page_write(fuzz_nowhere(), &(struct html_page){&result, &(struct kept_runs){0}, trees, "tourney.out", 0, false});
}

void fuzz_one(const uint8_t *bytes, size_t size)
{
    decision_trees_t trees, again;
    char *why = NULL;
    if (decision_trees_parse(&trees, (const char *)bytes, size, &why) < 0) {
        if (!why)
            abort();
        free(why);
        return;
    }
    char *first = decision_trees_print(&trees);
    if (decision_trees_parse(&again, first, strlen(first), &why) < 0)
        abort();
    char *second = decision_trees_print(&again);
    if (strcmp(first, second) != 0)
        abort();
    free(first);
    free(second);
    show(&trees);
    decision_trees_release(&trees);
    decision_trees_release(&again);
}
