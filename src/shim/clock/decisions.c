#include "shim/clock/decisions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum reading { GOOD, DAMAGED, NO_MEMORY };

static bool read_number(const char *word, int base, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(word, &end, base);
    return *word != '-' && end != word && !*end && !errno;
}

static bool read_int(const char *word, int32_t *value)
{
    char *end;
    errno = 0;
    long number = strtol(word, &end, 10);
    *value = (int32_t)number;
    return end != word && !*end && !errno && number == *value;
}

static bool read_kind(const char *word, enum causal_choice_kind *kind)
{
    static const char *const words[] = {[CHOICE_SOURCE] = "source",
                                        [CHOICE_INDEX] = "index",
                                        [CHOICE_SET] = "set",
                                        [CHOICE_YES] = "yes",
                                        [CHOICE_NO] = "no"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0) {
            *kind = (enum causal_choice_kind)i;
            return true;
        }
    return false;
}

/* Rising: whoever looks at the last of them knows that all are in range. */
static enum reading read_items(char *word, struct decision *d)
{
    char *save;
    size_t room = 1;
    for (const char *at = word; *at; at++)
        room += *at == ',';
    if (!(d->item = malloc(room * sizeof *d->item)))
        return NO_MEMORY;
    int32_t last = -1;
    for (char *item = strtok_r(word, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
        if (!read_int(item, &d->item[d->items]) || d->item[d->items] <= last)
            return DAMAGED;
        last = d->item[d->items++];
    }
    return d->items ? GOOD : DAMAGED;
}

static enum reading read_value(char *word, struct decision *d)
{
    if (d->kind == CHOICE_SET)
        return read_items(word, d);
    return d->kind == CHOICE_YES || d->kind == CHOICE_NO || read_int(word, &d->value) ? GOOD : DAMAGED;
}

/* RANK NUMBER KIND POLLS VALUE HISTORY */
static enum reading read_decision(struct decisions *decisions, char **word)
{
    if (decisions->n == decisions->room) {
        uint64_t room = decisions->room ? 2 * decisions->room : 64;
        struct decision *more = realloc(decisions->at, room * sizeof *more);
        if (!more)
            return NO_MEMORY;
        decisions->at = more;
        decisions->room = room;
    }
    struct decision *d = &decisions->at[decisions->n++];
    *d = (struct decision){.compare = strcmp(word[5], "-") != 0};
    if (!read_number(word[1], 10, &d->number) || !read_kind(word[2], &d->kind) || !read_number(word[3], 10, &d->polls) ||
        (d->compare && !read_number(word[5], 16, &d->history)))
        return DAMAGED;
    return read_value(word[4], d);
}

/* The list of a set may be long, so lines are of any length. */
static enum reading read_line(struct decisions *decisions, char *line, rank_t rank)
{
    char *word[6], *save;
    int32_t whose;
    int n = 0;
    for (char *w = strtok_r(line, " \n", &save); w && n < 6; w = strtok_r(NULL, " \n", &save))
        word[n++] = w;
    if (n < 6 || !read_int(word[0], &whose))
        return DAMAGED;
    if (whose != rank)
        return GOOD;
    if (strcmp(word[1], "free") == 0)
        return read_number(word[2], 10, &decisions->free_from) ? GOOD : DAMAGED;
    return read_decision(decisions, word);
}

const char *decisions_read(struct decisions *decisions, FILE *file, rank_t rank)
{
    static const char *const wrong[] = {
        [GOOD] = NULL,
        [DAMAGED] = CAUSAL_ENV_DECISIONS ": this is not a decision file, or a damaged one",
        [NO_MEMORY] = CAUSAL_ENV_DECISIONS ": there is no memory for what it says",
    };
    char *line = NULL;
    size_t room = 0;
    *decisions = (struct decisions){.free_from = UINT64_MAX};
    bool ended = false, begun = getline(&line, &room, file) > 0 && strcmp(line, CAUSAL_DECISIONS "\n") == 0;
    enum reading reading = begun ? GOOD : DAMAGED;
    while (reading == GOOD && !ended && getline(&line, &room, file) > 0) {
        ended = strcmp(line, "end\n") == 0;
        reading = ended ? GOOD : read_line(decisions, line, rank);
    }
    free(line);
    return wrong[reading == GOOD && !ended ? DAMAGED : reading];
}

void decisions_release(struct decisions *decisions)
{
    for (uint64_t i = 0; i < decisions->n; i++)
        free(decisions->at[i].item);
    free(decisions->at);
    *decisions = (struct decisions){0};
}
