/*
 * A scenario as text: what was parsed is printed and parsed again as the same, and can be
 * asked about.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "scenario/inquiry.h"
#include "scenario/parse.h"
#include "scenario/print.h"

static char *print(const struct scenario *scenario)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    scenario_print(scenario, out);
    fclose(out);
    return text;
}

/* The text of what a text says; NULL: it says nothing. */
static char *again(const char *text, size_t size)
{
    struct scenario scenario;
    struct scenario_mistake mistake = {0};
    if (scenario_parse(&scenario, text, size, &mistake) < 0) {
        if (!mistake.sentence)
            abort();
        free(mistake.sentence);
        return NULL;
    }
    struct inquiry inquiry;
    inquiry_make(&inquiry, &scenario, &(struct inquiry_options){.max_runs = 20, .seconds = 1});
    for (size_t i = 0; i < scenario.claims.n; i++)
        inquiry_answer(&inquiry, i);
    inquiry_release(&inquiry);
    char *printed = print(&scenario);
    scenario_release(&scenario);
    return printed;
}

void fuzz_one(const uint8_t *bytes, size_t size)
{
    char *first = again((const char *)bytes, size);
    if (!first)
        return;
    char *second = again(first, strlen(first));
    if (!second || strcmp(first, second) != 0) {
        fprintf(stderr, "printed as\n%sand then as\n%s", first, second ? second : "nothing\n");
        abort();
    }
    free(first);
    free(second);
}
