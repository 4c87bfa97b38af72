#include "outcome.h"

#include <stdio.h>
#include <string.h>

char *outcome_text(const struct scenario *scenario, const struct machine *const *machine)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (rank_t r = 0; r < scenario->ranks; r++) {
        const struct machine *m = machine[r];
        fprintf(out, "%sP%d ", r ? "; " : "", r);
        if (m->state == MACHINE_RUNS)
            fprintf(out, "in call %u", m->pc);
        else
            fputs(m->state == MACHINE_ENDED ? "ended" : "error", out);
        for (size_t v = 0; v < scenario->column[r].variables.n; v++)
            fprintf(out, " %s=%d", scenario->column[r].variables.at[v], m->value[v]);
    }
    fclose(out);
    return text;
}

bool outcome_is_stuck(const char *text)
{
    return strstr(text, "in call") && !strstr(text, "error");
}

static size_t place_of(const struct outcomes *o, const char *text, bool *there)
{
    size_t low = 0, high = o->at.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(o->at.at[middle], text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *there = low < o->at.n && strcmp(o->at.at[low], text) == 0;
    return low;
}

void outcomes_add(struct outcomes *o, char *text)
{
    bool there;
    size_t place = place_of(o, text, &there);
    if (there) {
        free(text);
        return;
    }
    vec_push(&o->at, NULL);
    memmove(&o->at.at[place + 1], &o->at.at[place], (o->at.n - 1 - place) * sizeof *o->at.at);
    o->at.at[place] = text;
}

bool outcomes_have(const struct outcomes *o, const char *text)
{
    bool there;
    place_of(o, text, &there);
    return there;
}

void outcomes_clear(struct outcomes *o)
{
    for (size_t i = 0; i < o->at.n; i++)
        free(o->at.at[i]);
    vec_release(&o->at);
}

const char *outcomes_differ(const struct outcomes *a, const struct outcomes *b, const char **who)
{
    for (size_t i = 0; i < a->at.n; i++)
        if (!outcomes_have(b, a->at.at[i])) {
            *who = "only the first";
            return a->at.at[i];
        }
    for (size_t i = 0; i < b->at.n; i++)
        if (!outcomes_have(a, b->at.at[i])) {
            *who = "only the second";
            return b->at.at[i];
        }
    return NULL;
}
